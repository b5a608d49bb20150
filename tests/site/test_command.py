"""`tablee site`: what it refuses, and what it writes."""

import http.server
import json
import socket
import threading
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.words import LANGUAGES
from tablee.locale import words
from tablee.locale.errors import in_language
from tablee.site import Built, tools
from tablee.site.command import site, try_site
from tablee.site.folder import Site, headers, write_site
from tablee.site.prints import draw


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(TableeError, match="holds other files"):
        write_site(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_house_is_named_by_its_whole_address(tmp_path: Path) -> None:
    with pytest.raises(TableeError, match="is no address of a house"):
        site(tmp_path / "site", house="javascript:alert(1)")


def test_what_is_missing_to_build_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises((TableeError, tools.CannotBuild), match=r"npm|node"):
        site(tmp_path / "site", work=tmp_path / "work")


def built(folder: Path, why: str = "") -> Site:
    """Return what a build would have written."""
    return Site(folder, "0-abc", 12_345_678, Built(folder / "python", compiled=not why, why=why, files={}, hash=""))


@pytest.mark.parametrize(
    ("why", "lang", "sentence"),
    [
        ("", "en", "The engine is compiled to WebAssembly."),
        ("", "fr", "Le moteur est compilé en WebAssembly."),
        (
            "apt-get is missing, which downloads Debian's headers: install it and try again",
            "en",
            "is plain Python (apt-get is missing, which downloads",
        ),
        ("apt-get is missing, which downloads Debian's headers: install it and try again", "fr", "(il manque apt-get, qui télécharge les en-têtes"),
    ],
)
def test_it_says_which_engine_was_built_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], why: str, lang: str, sentence: str
) -> None:
    asked: dict[str, object] = {}

    def write(folder: Path, **given: object) -> Site:
        asked.update(given)
        return built(folder, why)

    monkeypatch.setattr("tablee.site.folder.write_site", write)
    site(tmp_path, plugin=["tablee-awale"], house="https://tablee.example/", plain=bool(why), work=tmp_path, lang=lang)
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert "12.3" in said[0]
    assert sentence in said[1]
    assert callable(asked.pop("waits"))
    assert asked == {"work": tmp_path, "plugins": ["tablee-awale"], "compiled": not why, "house": "https://tablee.example/"}


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "Another site is being built with the parts in"), ("fr", "Un autre site se construit avec les éléments de")]
)
def test_a_second_build_in_one_work_folder_says_that_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lang: str, sentence: str
) -> None:
    begun, said = threading.Event(), threading.Event()

    def make(folder: Path, *given: object, **named: object) -> Site:
        begun.set()
        return built(folder)

    def words_heard(lang: str) -> Callable[..., str]:
        say = words(lang)

        def heard(name: str, **facts: str) -> str:
            said.set()
            return say(name, **facts)

        return heard

    monkeypatch.setattr("tablee.site.folder.make_site", make)
    monkeypatch.setattr("tablee.site.command.words", words_heard)
    with tools.one_at_a_time(tmp_path / "work"):
        second = threading.Thread(target=lambda: site(tmp_path / "site", work=tmp_path / "work", lang=lang))
        second.start()
        assert said.wait(600)
        assert not begun.is_set()
    second.join()
    assert begun.is_set()
    lines = capsys.readouterr().out.splitlines()
    assert sentence in lines[0]
    assert str(tmp_path / "work") in lines[0]
    assert len(lines) == 3


def test_a_try_serves_the_folder_and_opens_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.html").write_text("the library", encoding="utf-8")
    read: list[str] = []

    def serve(server: http.server.ThreadingHTTPServer) -> None:
        server.handle_request()
        raise KeyboardInterrupt

    threads: list[threading.Thread] = []

    def opened(address: str) -> None:
        threads.append(threading.Thread(target=lambda: read.append(urllib.request.urlopen(address).read().decode())))
        threads[0].start()

    monkeypatch.setattr(webbrowser, "open", opened)
    monkeypatch.setattr(http.server.ThreadingHTTPServer, "serve_forever", serve)
    try_site(tmp_path, 0, "en")
    threads[0].join()
    assert read == ["the library"]
    assert "http://127.0.0.1:" in capsys.readouterr().out


@pytest.mark.parametrize(("port", "why"), [(0, "already in use"), (70_000, "0-65535")])
def test_a_port_that_cannot_be_had_is_one_sentence(tmp_path: Path, port: int, why: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(TableeError, match=rf"^cannot listen at 127.0.0.1:\d+: .*{why}.*--try$") as caught,
    ):
        try_site(tmp_path, port or taken.getsockname()[1], "en")
    said = in_language(str(caught.value), "fr")
    assert said.startswith("impossible d’écouter à 127.0.0.1:")


@pytest.mark.usefixtures("awale")
def test_a_plugin_game_is_drawn_to_print_too(tmp_path: Path) -> None:
    draw(tmp_path, ["tablee-awale"])
    for slug in (*OURS, "awale"):
        for language in LANGUAGES:
            assert (tmp_path / language / f"{slug}.pdf").read_bytes().startswith(b"%PDF"), (slug, language)


@pytest.mark.parametrize(
    ("path", "kind"), [("index.html", "text/html"), ("python/pyodide.asm.wasm", "application/wasm"), ("python/start.mjs", "text/javascript")]
)
def test_each_file_is_kept_with_the_headers_that_no_host_gives(path: str, kind: str) -> None:
    kept = headers(path)
    assert kept["content-type"].startswith(kind)
    policy = kept["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; frame-src 'self'" in policy
    assert ("require-trusted-types-for 'script'" in policy) == (kind == "text/html")


def test_the_whole_site_is_named_by_its_files(site_folder: Path) -> None:
    told = json.loads((site_folder / "files.json").read_text(encoding="utf-8"))
    files = {path.relative_to(site_folder).as_posix() for path in site_folder.rglob("*") if path.is_file()}
    handbook = {path for path in files if path.startswith("docs/")}
    assert {"docs/index.html", "docs/fr/players.html", "docs/en/players.html"} < handbook
    assert set(told["files"]) == files - {"sw.js", "files.json"} - handbook
    assert {f"app/static/print/{language}/{slug}.pdf" for language in LANGUAGES for slug in OURS} < set(told["files"])
    assert told["total"] == sum((site_folder / path).stat().st_size for path in told["files"])
    worker = (site_folder / "sw.js").read_text(encoding="utf-8")
    assert told["version"] in worker
    assert "{files}" not in worker
