"""Plant each fault of the list in a copy of the source, run the tests that should notice, and name the faults that survive: `make mutate`."""

import argparse
import os
import sys

from tests.mutation.faults import Fault, errors, read_faults
from tests.mutation.runs import ROOT, SOURCE, Run, Verdict, run_all

# What notices a fault soonest, by the beginning of its path, and what takes longest.
FIRST = {
    "tables/view": ("tests/tables/test_view.py", "tests/tables/test_scene_changes.py", "tests/tables/test_view_changes.py"),
    "tables/scene_views.py": ("tests/tables/test_scene_changes.py", "tests/tables/test_view_changes.py"),
    "tables/dice.py": ("tests/tables/test_dice.py",),
    "tables/record.py": ("tests/tables/test_record.py",),
    "tables/why.py": ("tests/tables/test_why.py",),
    "tables/values.py": ("tests/tables/test_values.py",),
    "tables/invitations.py": (
        "tests/tables/test_refusals.py",
        "tests/web/test_table_view.py",
    ),
    "tables/allowed.py": ("tests/tables/test_allowed.py", "tests/tables/test_commands.py", "tests/tables/test_offers.py"),
    "tables/": tuple(f"tests/tables/test_{name}.py" for name in ("refusals", "table", "folding", "clock")),
    "store/postgres_shared.py": ("tests/web/test_shared_facts.py",),
    "store/postgres_thoughts.py": ("tests/web/test_shared_facts.py",),
    "store/postgres": ("tests/store/test_postgres.py", "tests/store/test_contract.py"),
    "store/ledger.py": ("tests/store/test_ledger.py",),
    "store/dump.py": ("tests/store/test_moving.py",),
    "store/backup.py": ("tests/store/test_moving.py",),
    "store/taking.py": ("tests/store/test_moving.py",),
    "store/opening.py": ("tests/store/test_moving.py", "tests/test_cli.py"),
    "store/": ("tests/store/test_sqlite.py",),
    "web/": ("tests/web/test_table_view.py", "tests/tables/test_view_changes.py"),
}
LAST = ("tests/tables/test_machine.py", "tests/store/test_kill.py", "tests/tables/test_view_changes.py")
WEB = tuple(f"tests/web/test_{name}.py" for name in ("view_types", "socket", "house", "api", "pages"))


def tests_for(path: str) -> tuple[str, ...]:
    """Return the tests that should notice a fault in a file, the quickest first."""
    first = next(tests for beginning, tests in FIRST.items() if path.startswith(beginning))
    if path.startswith("web/"):
        return first + WEB
    files = [str(file.relative_to(ROOT)) for folder in ("tables", "store") for file in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    return tuple(dict.fromkeys([*first, *(file for file in files if file not in LAST), *LAST]))


def line(run: Run) -> str:
    """Return a run as one line."""
    return f"{run.verdict:8} {run.seconds:5.1f} s {run.megabytes:5d} MB  {run.fault or 'no fault'}" + (f"  [{run.failed}]" if run.failed else "")


def description(fault: Fault) -> str:
    """Return a fault as somebody wants to see it who has to write the test that notices it."""
    return f"{fault}\n    - {fault.old!r}\n    + {fault.new!r}"


def main() -> int:
    """Run, print each verdict, then the survivors; 0 if there are none."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--only", default="", help="only faults whose path or reason contains this")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    faults = read_faults()
    if wrong := errors(faults, SOURCE / "tablee"):
        print("\n".join(wrong))
        return 2
    faults = [fault for fault in faults if chosen.only in str(fault)]
    groups = {frozenset(tests): tests for tests in (tests_for(fault.path) for fault in faults)}
    for run in run_all([(None, tests) for tests in groups.values()], chosen.cores):
        print(line(run), flush=True)
        if run.verdict != Verdict.SURVIVED:
            print("the tests fail without any fault: mend that first")
            return 2
    left: list[Fault] = []
    for run in run_all([(fault, tests_for(fault.path)) for fault in faults], chosen.cores):
        print(line(run), flush=True)
        if run.fault and run.verdict != Verdict.CAUGHT:
            left.append(run.fault)
    print(f"{len(faults) - len(left)} of {len(faults)} faults were caught")
    print("".join(f"survived: {description(fault)}\n" for fault in left), end="")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
