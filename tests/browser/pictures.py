"""Regenerates the pictures in README.md and README.vi.md: `python -m tests.browser.pictures`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser import fonts
from tests.browser.phones import phone
from tests.browser.screens import SCREENS, show, tell_nights
from tests.conftest import chromium_arguments, find_chromium
from tests.servers import Served

HERE = Path(__file__).parent / "pictures"
SHOWN = {
    "first": "open",
    "table": "table with two cards",
    "paid": "between two rounds of four",
    "ledger": "example night",
}
"""The name of a picture -> the screen that it shows."""


def make(browser: Browser, to: Path) -> Iterator[Path]:
    """Make every picture in both languages; yields their paths."""
    screens = {screen.name: screen for screen in SCREENS}
    with TemporaryDirectory() as folder, Served(Path(folder)) as served:
        for locale in ("vi-VN", "en-GB"):
            with phone(browser, (390, 720), locale=locale) as context:
                page, nights = context.new_page(), dict[str, str]()
                for name, screen in SHOWN.items():
                    if name != "first":  # which newcomers see
                        nights = nights or tell_nights(browser, context, served.address)
                    shown = screens[screen]
                    show(page, shown, served.address + shown.path.format(**nights))
                    picture = to / f"{name}-{locale[:2]}.png"
                    page.wait_for_timeout(500)  # a key that was just tapped is still drawn as pressed
                    page.screenshot(path=picture)
                    yield picture


if __name__ == "__main__":
    if not fonts.installed():
        sys.exit(fonts.NOT_INSTALLED)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_arguments())
        for made in make(chromium, HERE):
            print(made.relative_to(Path.cwd()))
        chromium.close()
