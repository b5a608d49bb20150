"""What skips the tests of the site: only what the machine lacks. A build that fails is a failed test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tablee.site import Built, CannotBuild
from tests.wasm import conftest


def refuse(*words: object, **options: object) -> None:
    """Build nothing."""
    raise CannotBuild("it cannot be had")


def broken(*words: object, **options: object) -> Built:
    """Give a build whose engine does not compile."""
    return Built(Path(), compiled=False, why="clang cannot compile the engine for the browser", files={}, hash="")


def compiled_site(factory: pytest.TempPathFactory) -> Built:
    """Build as the fixture does."""
    build: Callable[[pytest.TempPathFactory], Built] = conftest.compiled_site.__wrapped__  # type: ignore[attr-defined]
    return build(factory)


def test_without_pyodide_a_test_is_skipped_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "pyodide", refuse)
    with pytest.raises(pytest.skip.Exception, match=r"^NOT TESTED: it cannot be had$"), conftest.building():
        pytest.fail("nothing can be built")


def test_a_build_that_fails_is_not_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "pyodide", lambda work: work)
    with pytest.raises(CannotBuild), conftest.building():
        refuse()


def test_without_a_compiler_the_tests_of_the_engine_are_skipped_aloud(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setattr(conftest, "pyodide", lambda work: work)
    monkeypatch.setattr(conftest, "zig", refuse)
    with pytest.raises(pytest.skip.Exception, match=r"^NOT TESTED: the engine in WebAssembly"):
        compiled_site(tmp_path_factory)


def test_an_engine_that_does_not_compile_is_not_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in ("pyodide", "zig", "facts", "headers"):
        monkeypatch.setattr(conftest, name, lambda *words: None)
    monkeypatch.setattr(conftest, "build_python", broken)
    with pytest.raises(AssertionError, match="clang cannot compile"):
        compiled_site(tmp_path_factory)
