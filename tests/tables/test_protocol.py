"""The page on the protocol names everything that there is."""

from pathlib import Path

import pytest

from tablee.tables.events import FIELDS, EventKind
from tablee.tables.refused import CODES
from tablee.tables.values import Ask

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*EventKind, *FIELDS, *CODES, "aside"])
def test_every_kind_field_and_code_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("name", list(Ask))
def test_everything_that_can_be_asked_is_on_the_page(name: str) -> None:
    assert name in PAGE


@pytest.mark.parametrize(
    "label",
    ["tablee dice v1", "tablee contributions v1", "throw", "tablee token v1", "tablee seat v1", "tablee seal v1", "tablee ledger v1"],
)
def test_every_label_that_is_hashed_is_on_the_page(label: str) -> None:
    assert f'"{label}"' in PAGE
