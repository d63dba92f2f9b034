"""The README's pictures can be regenerated."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.pictures import HERE, make


@pytest.mark.browser
def test_the_pictures_of_the_readme_are_those_that_the_command_makes(
    browser: Browser, tmp_path: Path
) -> None:
    made = {path.name: _size(path) for path in make(browser, tmp_path)}
    assert made == {path.name: _size(path) for path in HERE.glob("*.png")}


def _size(path: Path) -> tuple[int, ...]:
    return struct.unpack(">II", path.read_bytes()[16:24])
