"""What people write stays text on every page, and no other site shows a page of the house in a frame."""

import httpx

from tests.web.serving import Serving

SCRIPT = "<script>alert(1)</script>"


def test_a_name_that_is_a_script_stays_text_on_every_page(house: Serving, person: httpx.Client) -> None:
    person.post("/me", data={"name": SCRIPT})
    table = person.post("/g/traboulet", data={"seats": "2", "seat-0": "me", "seat-1": "open", "who": "open"}).url.path
    pages = [person.get(path).text for path in (table, "/me", "/")]
    assert "&lt;script&gt;alert" in pages[0]
    assert all("<script>alert" not in page for page in pages)


def test_no_other_site_shows_a_page_in_a_frame(person: httpx.Client) -> None:
    for path in ("/", "/settings", "/r/tabu", "/nothing"):
        headers = person.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
