"""Every screen, in both languages and themes: no finding of axe, no sideways scrolling, no zoom on focus."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from ledger.language import LANGUAGES
from ledger.resources import folder
from ledger.web import Settings, create_app
from tests import soaking
from tests.browser import fonts
from tests.browser.phones import LARGE_TEXT, PHONES, laid_out_wrong, phone, resize, script, wrong
from tests.browser.screens import ELSEWHERE, KEEPS_PICTURES, SCREENS, Screen, keep_pictures, show, tell_nights

OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe about colours, the only ones that a theme can affect (see the test of stylesheets)."""
CLAUSE = r"\b[A-Z]{1,3}-[A-Z]{3,}\b"
"""A clause's id, which no page shows: pages use its title."""
HALF_LARGER_TEXT = (213, 378)
SIZES = (PHONES["320x568"], PHONES["390x664"], LARGE_TEXT)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def keeper(browser: Browser, server: str) -> Iterator[tuple[Page, dict[str, str]]]:
    """A phone with links to nights in every state."""
    with phone(browser) as context:
        nights = tell_nights(browser, context, server)
        yield context.new_page(), nights


@pytest.mark.browser
def test_axe_finds_nothing_on_any_screen_and_nothing_is_cut_or_zooms_in(
    keeper: tuple[Page, dict[str, str]], server: str
) -> None:
    """Each page in the first language: in one of its states for axe, in all of them at three widths."""
    page, nights = keeper
    speak(page, server, LANGUAGES[0])
    found: list[tuple[object, ...]] = []
    looked_at: set[str] = set()
    for screen in SCREENS:
        open_screen(page, server, screen, nights, LANGUAGES[0])
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            if screen.endpoint not in looked_at or screen.taps or soaking.asked:
                rules = OF_COLOURS * (theme == "dark")
                found += [(screen.name, theme, *one) for one in wrong(page, rules=rules)]
            keep_pictures(page, f"{screen.name} {theme} {LANGUAGES[0]}")
        looked_at.add(screen.endpoint)
        found += [(screen.name, field) for field in page.evaluate(script("small_fields"))]
        found += [(screen.name, code) for code in re.findall(CLAUSE, page.locator("body").inner_text())]
        for size in SIZES:
            found += [(screen.name, *one) for one in laid_out_wrong(page, size)]
            if size != LARGE_TEXT:
                page.keyboard.press("Tab")  # then the focus is shown wherever it is put
                found += [(screen.name, size, stop) for stop in page.evaluate(script("focused"), True)]
    assert found == []


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "size"),
    [
        *((language, SIZES[0]) for language in LANGUAGES[1:]),
        *(
            pytest.param(LANGUAGES[0], size, marks=pytest.mark.soak("further sizes"))
            for size in (PHONES["360x640"], PHONES["412x732"], HALF_LARGER_TEXT)
        ),
    ],
)
def test_nothing_is_cut_in_other_languages_and_sizes(
    keeper: tuple[Page, dict[str, str]], server: str, language: str, size: tuple[int, int]
) -> None:
    """In another language the elements are the same: only the lengths of words matter, on the narrowest phone."""
    page, nights = keeper
    speak(page, server, language)
    found: list[tuple[object, ...]] = []
    for screen in SCREENS:
        open_screen(page, server, screen, nights, language)
        found += [(screen.name, *one) for one in laid_out_wrong(page, size)]
        for theme in THEMES if KEEPS_PICTURES else ():
            page.emulate_media(color_scheme=theme)
            keep_pictures(page, f"{screen.name} {theme} {language}")
    assert found == []


def speak(page: Page, server: str, language: str) -> None:
    page.context.add_cookies([{"name": "tienlen-language", "value": language, "url": server}])


def open_screen(page: Page, server: str, screen: Screen, nights: dict[str, str], language: str) -> None:
    resize(page, SIZES[0])
    page.emulate_media(color_scheme="light")
    show(page, screen, server + screen.path.format(**nights))
    assert page.locator("html").get_attribute("lang") == language


@pytest.mark.browser
def test_a_bar_is_drawn_as_long_as_its_number_is_great(
    keeper: tuple[Page, dict[str, str]], server: str
) -> None:
    page, nights = keeper
    page.goto(f"{server}{nights['dear']}/statistics")
    bars = [(name, number, length) for name, number, length in page.evaluate(script("bars"))]
    for table in ("counts", "gains"):
        drawn = [(number, length) for name, number, length in bars if name == table]
        most = max(abs(number) for number, _ in drawn)
        for number, length in drawn:
            # In tenths, and not less than one where there is a number at all.
            assert length == pytest.approx(number / most, abs=0.06 if abs(number) > most / 10 else 0.11)
            assert bool(length) is bool(number)


PLANTED = {
    "color-contrast": "<p style='color: #999; background: #fff'>faint</p>",
    "label": "<input type='text'>",
    "cut: ": "<p style='width: 3em; overflow: hidden; white-space: nowrap'>a line that is too long</p>",
    "over each other: ": "<p style='line-height: 0.7'>one line<br>another</p>",
    "outside: ": "<p style='position: absolute; left: -2em'>half of this</p>",
    "torn: ": "<div class='wide'><table><tbody><tr><th style='width: 1ch; word-break: break-all'>Bình</th>",
    "off its middle": "<button style='padding-bottom: 1em'>Wrong</button>",
    "ends in an arrow": "<ul class='lines'><li style='width: 3em'>Lan → Tú</ul>",
    "on two lines": "<p style='width: 3em'>Round 12</p>",
    "sideways": "<p style='width: 500px'>wide</p>",
    "off the edge: ": "<details><summary>x</summary><div class='wide' style='overflow: auto'>"
    "<table style='width: 500px'><tr><td>wide",
    "bar": "<div class='bar'><nav><a style='display: block'>one</a><a style='display: block'>two</a></nav></div>",
}


@pytest.mark.browser
def test_axe_and_the_checks_of_the_layout_find_what_is_planted(browser: Browser) -> None:
    with phone(browser) as context:
        page = context.new_page()
        for fault, planted in PLANTED.items():
            html = f"<!doctype html><html lang=en><title>x</title><main><h1>x</h1>{planted}</main>"
            page.set_content(html)
            violated = [name for name, _ in wrong(page)]
            laid_out = [*laid_out_wrong(page, PHONES["360x640"], families=fonts.FAMILIES)]
            for family in fonts.FAMILIES:
                found = violated + [what for _, font, what in laid_out if font == family]
                assert any(one.startswith(fault) for one in found), (fault, family, found)


def test_every_page_is_among_the_screens_or_said_to_be_none() -> None:
    app = create_app(Settings(database_url="sqlite://", key=bytes(32)))
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith("/api/")
    }
    shown = {screen.endpoint for screen in SCREENS}
    assert shown | ELSEWHERE.keys() == pages
    assert not shown & ELSEWHERE.keys()


def test_a_theme_changes_colours_and_nothing_else() -> None:
    """A stylesheet's theme only sets colours; so the other rules of axe need only one theme."""
    parts = [*folder("web/static").glob("*/*"), *folder("templates").rglob("*.html")]
    asking = [part for part in parts if b"prefers-color-scheme" in part.read_bytes()]
    assert [part.name for part in asking] == ["page.css"]
    _, dark = asking[0].read_text().split("@media screen and (prefers-color-scheme: dark) {\n  :root {\n")
    colours, _, _ = dark.partition("\n  }\n}\n")
    assert [
        one for one in colours.split("\n") if not re.fullmatch(r"    --[a-z0-9-]+: #[0-9a-f]{6};", one)
    ] == []
