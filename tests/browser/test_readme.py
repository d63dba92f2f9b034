"""The README's pictures can be made again."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.pictures import HERE, make


@pytest.mark.browser
@pytest.mark.soak("the pictures of the README")
def test_the_command_makes_every_picture_of_the_readme(browser: Browser, tmp_path: Path) -> None:
    assert {path.name for path in make(browser, tmp_path)} == {path.name for path in HERE.glob("*.png")}
