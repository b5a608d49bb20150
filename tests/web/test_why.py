"""The door that says why a touch leads nowhere."""

import httpx

from tests.web.serving import Serving, wait_for
from tests.web.test_choose import opened


def test_a_touch_that_leads_nowhere_is_explained_to_the_holder_of_the_seat_alone(house: Serving, person: httpx.Client) -> None:
    table = opened(person, "traboulet", {"way": "here"})["table"]
    wait_for(person, table, "playing")
    why = person.get(f"/t/{table}/why", params={"seat": 0, "touch": "d4"}).json()
    assert "red" in why["text"]
    assert why["paragraphs"] == ["2.1"]
    assert why["cells"] == ["d4"]
    with house.person() as stranger:
        assert stranger.get(f"/t/{table}/why", params={"seat": 0, "touch": "d4"}).json()["text"] == ""
    for wrong in ("seat=x&touch=a7", "seat=9&touch=d4", "seat=-1&touch=d4", "seat=0", f"seat=0&touch={'e' * 300}", "touch=nowhere&touch=d4"):
        answer = person.get(f"/t/{table}/why?{wrong}")
        assert answer.status_code == 200
        assert answer.json()["text"] == ""
