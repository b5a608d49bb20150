"""The values that stand in logs on disk: a name that changed here would make old games unreadable."""

from enum import StrEnum

import pytest

from tablee.tables.commands import Sit
from tablee.tables.events import EventKind
from tablee.tables.values import Ask, Phase, Reason, Sitter
from tests.tables.company import Company

ON_DISK: dict[type[StrEnum], str] = {
    Sitter: "nobody person bot program",
    Phase: "waiting playing over",
    Ask: "take_back draw abandon stop text rematch",
    Reason: "resigned draw abandoned time expired",
    EventKind: "opened seated left invited contributed started acted threw asked answered took_back hinted said resigned resumed ended resealed "
    "revealed rematch",
}


@pytest.mark.parametrize("values", ON_DISK, ids=lambda values: values.__name__)
def test_what_stands_on_disk_keeps_its_name(values: type[StrEnum]) -> None:
    assert " ".join(values) == ON_DISK[values]


def test_a_bot_from_elsewhere_is_one_of_those_who_are_asked() -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    company.do("Ben", Sit(1, "Ben", player="bot"))
    assert company.table.others(0) == (1,)
