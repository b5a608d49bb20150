"""The screens that a table is tried on: a desktop and a telephone, in French and in English."""

import pytest

from tests.browser.guest import DESKTOP, TELEPHONE

Size = tuple[int, int]
D_FR, P_EN = pytest.param(DESKTOP, False, "fr-FR", id="desktop-fr"), pytest.param(TELEPHONE, True, "en-GB", id="telephone-en")
D_EN, P_FR = pytest.param(DESKTOP, False, "en-GB", id="desktop-en"), pytest.param(TELEPHONE, True, "fr-FR", id="telephone-fr")
LANGUAGES = [pytest.param("fr-FR", id="fr"), pytest.param("en-GB", id="en")]
PAIRS, ALL = [D_FR, P_EN], [D_FR, P_EN, D_EN, P_FR]
screens = pytest.mark.parametrize(("size", "touch", "language"), PAIRS)
all_screens = pytest.mark.parametrize(("size", "touch", "language"), ALL)


def in_french(language: str) -> bool:
    """Return whether a browser asks for French."""
    return language.startswith("fr")


def plain(text: str) -> str:
    """Return a text with ordinary spaces."""
    return " ".join(text.split())
