"""`make prove` goes on whatever happens to one promise, tells each as it ends, and ends with a table of all."""

import time
from pathlib import Path

import pytest

from tests import prove, prove_ways
from tests.mutation.faults import faulty_text
from tests.prove_row import Found, Proof
from tests.prove_run import run_all
from tests.prove_ways import SOURCE, STOPPED, UNTRIED, run


def kept(small: bool, seconds: float) -> Found:
    """Keep a promise."""
    return Found("all", True)


def broken(small: bool, seconds: float) -> Found:
    """Break a promise."""
    return Found("half", False)


def stumbling(small: bool, seconds: float) -> Found:
    """End with an error."""
    raise RuntimeError("the harness itself fell over")


def impossible(small: bool, seconds: float) -> Found:
    """Be not possible here."""
    return Found("needs root")


def test_after_an_error_and_a_broken_promise_the_others_are_tried_and_all_stand_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    proofs = [Proof("one", "all", stumbling), Proof("two", "all", broken, alone=True), Proof("three", "all", kept), Proof("four", "all", impossible)]
    assert run_all(proofs, False) == 1
    said = capsys.readouterr().out
    table = said[said.index("| promise") :]
    assert [line.split(" | ")[0] for line in table.splitlines()[2:6]] == ["| one", "| two", "| three", "| four"]
    assert "RuntimeError: the harness itself fell over | BROKEN" in table
    assert "half | BROKEN" in table
    assert "all | kept" in table
    assert "NOT PROVED on this machine: four: needs root" in table
    assert said.count(" of 4: ") == 4


def test_what_could_not_be_tried_is_no_success_but_in_the_small_form() -> None:
    proofs = [Proof("one", "all", kept, in_small=True), Proof("two", "all", impossible, in_small=True), Proof("three", "all", broken)]
    assert run_all(proofs[:1], False) == 0
    assert run_all(proofs[:2], False) == UNTRIED
    assert run_all(proofs, True) == 0


def test_what_no_time_is_left_for_is_not_proved(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_all([Proof("one", "all", kept), Proof("two", "all", kept, alone=True)], False, most=-1.0) == UNTRIED
    assert capsys.readouterr().out.count("NOT PROVED on this machine") == 2


def test_a_table_is_printed_also_if_somebody_stops_it(capsys: pytest.CaptureFixture[str]) -> None:
    def stop(small: bool, seconds: float) -> Found:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all([Proof("one", "all", kept), Proof("two", "all", stop, alone=True)], False)
    assert "| one | all | all | kept" in capsys.readouterr().out


def test_a_harness_that_does_not_end_is_killed_with_all_that_it_has_started(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)'])\n"
        f"open({str(tmp_path / 'pid')!r} + '.new', 'w').write(str(child.pid))\n"
        f"import os; os.rename({str(tmp_path / 'pid')!r} + '.new', {str(tmp_path / 'pid')!r})\n"
        "time.sleep(3600)\n"
    )
    ran = run(20.0, "endless", PYTHONPATH=str(tmp_path))
    assert (ran.returncode, ran.stderr) == (STOPPED, "no end within 20 s")
    child = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 60
    while alive(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(child)


def test_a_row_of_tests_says_in_one_line_how_many_passed_or_failed(tmp_path: Path) -> None:
    """A line break would end the row of the table."""
    file = tmp_path / "test_two.py"
    file.write_text("def test_one() -> None:\n    pass\n\n\ndef test_two() -> None:\n    pass\n")
    assert prove_ways.tests("two", "both", str(file)).trial(False, 60.0) == Found("2 passed", True)
    file.write_text("def test_one() -> None:\n    pass\n\n\ndef test_two() -> None:\n    raise ValueError\n")
    assert prove_ways.tests("two", "both", str(file)).trial(False, 60.0) == Found("1 failed, 1 passed", False)


def alive(process: int) -> bool:
    """Return whether a process runs; a dead one that nobody has waited for does not."""
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_figures_of_the_issue_are_asked_for() -> None:
    """What `make prove` asks for stands in its rows; a smaller figure would be a smaller promise."""
    asked = {f"{proof.promise}: {proof.asked}" for proof in prove.PROOFS}
    for figure in ("200 kill −9", "3,000 images", "2,000 reconnects, all within 2 s", "100,000 requests, 500,000 frames", "1,000,000 throws"):
        assert [text for text in asked if figure in text], figure


def test_every_planted_fault_fits_the_source() -> None:
    """After a rename in the source, rename in `tests/prove.py` too."""
    planted = [proof.fault for proof in prove.PROOFS if proof.fault is not None]
    assert len(planted) > 8
    for fault in planted:
        text = (SOURCE / fault.path).read_text(encoding="utf-8")
        assert faulty_text(fault, text) != text
