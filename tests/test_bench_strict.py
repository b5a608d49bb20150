"""`--strict`: a target that is missed is said and ends with status 1; every target of bench/ is said in the same words."""

import re
import sys
from pathlib import Path

import pytest

from bench import listeners, strict
from bench.listeners import measure

BENCH = Path(strict.__file__).parent
# Measurements that another one runs as its last part.
PARTS = {"listeners": "house", "offline_browser": "offline"}


@pytest.mark.parametrize(("options", "reached", "status"), [(["--strict"], False, 1), (["--strict"], True, None), ([], False, None)])
def test_a_missed_target_ends_with_status_1(
    options: list[str], reached: bool, status: int | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench.any", "--quick", *options])
    left = None

    def main() -> None:
        """Measure nothing."""
        assert sys.argv == ["bench.any", "--quick"]
        print(f"- 1.0 s, wanted 2 s: {strict.verdict(reached)}")

    try:
        strict.run(main)
    except SystemExit as leaving:
        left = leaving.code
    assert left == status
    told = capsys.readouterr()
    assert told.out == f"- 1.0 s, wanted 2 s: {strict.verdict(reached)}\n"
    assert bool(told.err) is (status is not None)


def test_every_measurement_with_a_target_takes_the_option() -> None:
    makefile = (BENCH.parent / "Makefile").read_text(encoding="utf-8")
    judging = [path for path in BENCH.glob("*.py") if "strict.verdict(" in path.read_text(encoding="utf-8")]
    assert len(judging) > 6
    for path in judging:
        assert "strict.run(main)" in path.read_text(encoding="utf-8"), path
        name = "bench" if path.stem == "__main__" else f"bench.{path.stem}"
        if path.stem in PARTS:
            assert re.search(rf"{path.stem}(\.main\(\)| import measure)", (BENCH / f"{PARTS[path.stem]}.py").read_text(encoding="utf-8")), path
        elif path.stem not in ("voyages", "before"):  # by hand: an hour, and beside an older checkout
            assert re.search(rf"-m {re.escape(name)} .*\$\(STRICT\)", makefile), path


def test_a_move_is_measured_by_whole_views_and_by_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "MOVES", 5)
    (whole, spent), (changed, _) = measure("tabale", changes=False), measure("tabale", changes=True)
    assert whole > 5 * changed > 0
    assert spent > 0
