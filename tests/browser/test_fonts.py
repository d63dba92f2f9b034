"""The fonts of the tests: which letters they have, and which are the narrowest and the widest."""

from collections.abc import Iterator
from itertools import chain, product

import pytest
from playwright.sync_api import Browser, Page

from ledger.language import LANGUAGES
from ledger.language.catalogs import messages
from tests.browser import fonts
from tests.browser.phones import phone, script

pytestmark = pytest.mark.browser

WEIGHTS = (400, 700)
SUITS = "♠♥♦♣"


def texts_in(language: str) -> list[str]:
    """All texts of the catalogs of a language."""
    found: list[str] = []
    for message in chain.from_iterable(messages(language, domain) for domain in ("words", "pages")):
        found += [message.string] if isinstance(message.string, str) else message.string or ()
    return found


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with phone(browser) as context:
        yield context.new_page()


@pytest.mark.parametrize(("language", "weight"), [*product(LANGUAGES, WEIGHTS)])
def test_the_first_family_is_the_narrowest_for_the_texts_of_the_pages_and_the_second_the_widest(
    page: Page, language: str, weight: int
) -> None:
    pens = [f"{weight} 16px '{family}'" for family in fonts.FAMILIES]
    width = dict(
        zip(fonts.FAMILIES, page.evaluate(script("widths_drawn"), [texts_in(language), pens]), strict=True)
    )
    by_width = sorted(fonts.FAMILIES, key=lambda family: width[family])
    assert (by_width[0], by_width[-1]) == fonts.FAMILIES[:2]


@pytest.mark.parametrize("weight", WEIGHTS)
def test_all_letters_and_digits_of_the_texts_are_drawn_in_the_family_itself(page: Page, weight: int) -> None:
    """None comes from another font, which would tear a word into two faces; suits come from the same one for all
    families, or from the family itself."""
    written = {letter for language in LANGUAGES for text in texts_in(language) for letter in text}
    letters = "".join(sorted(filter(str.isalnum, written)))
    assert {"ế", "Đ", "ự", "7"} <= {*letters}
    for family in fonts.FAMILIES:
        assert faces_of(page, family, weight, letters) == {family}
        assert faces_of(page, family, weight, SUITS) <= {family, "DejaVu Sans"}


def faces_of(page: Page, family: str, weight: int, text: str) -> set[str]:
    """The families that Chromium draws a text with."""
    page.set_content(f"<p style='font: {weight} 16px \"{family}\"'>{text}</p>")
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    line = session.send("DOM.querySelector", {"nodeId": root, "selector": "p"})["nodeId"]
    drawn = session.send("CSS.getPlatformFontsForNode", {"nodeId": line})["fonts"]
    session.detach()
    return {face["familyName"] for face in drawn}
