"""`tablee site`: what it refuses, and what it writes."""

import json
from pathlib import Path

import pytest

from tablee.core.errors import TableeError
from tablee.site import tools
from tablee.site.command import site
from tablee.site.folder import headers, write_site


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
    assert set(told["files"]) == files - {"sw.js", "files.json"}
    assert told["total"] == sum((site_folder / path).stat().st_size for path in told["files"])
    worker = (site_folder / "sw.js").read_text(encoding="utf-8")
    assert told["version"] in worker
    assert "{files}" not in worker
