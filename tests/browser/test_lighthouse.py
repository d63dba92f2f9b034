"""Lighthouse of the npm package, on its slow phone, gives the pages that are opened most at least 99 of 100."""

import json
import os
import subprocess
from pathlib import Path
from statistics import median_low

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.conftest import NAMES
from tests.browser.keeper import first_round
from tests.browser.telling import Teller
from tests.conftest import chromium_arguments

pytestmark = pytest.mark.browser

LIGHTHOUSE = Path(__file__).parent / "lighthouse/node_modules/lighthouse/cli/index.js"
"""The program; `scripts/test --soak` installs it."""
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
RUNS = 3
"""How often a page is measured; the median counts, since what else the machine does changes the speed."""


@pytest.fixture
def keeper(context: BrowserContext, server: str) -> Teller:
    """A keeper in the second round of a night."""
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES)
    keeper.tell_round(first_round("southern-05.tln")[0])
    keeper.tell("round lead p4; p4 Jd Qs Kd Ad")
    return keeper


@pytest.mark.soak("Lighthouse")
def test_the_first_page_the_table_and_the_ledger_have_at_least_99_of_100(
    keeper: Teller, node: str, chromium: Path, tmp_path: Path
) -> None:
    if not LIGHTHOUSE.exists():
        pytest.skip("Lighthouse is not installed: scripts/test --soak installs it")
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in keeper.page.context.cookies())
    found: dict[str, int] = {}
    for place in ("/", f"/n/{keeper.night}", f"/n/{keeper.night}/ledger"):
        headers = {} if place == "/" else {"Cookie": cookies}
        runs = [measured(node, chromium, f"{keeper.server}{place}", headers, tmp_path) for _ in range(RUNS)]
        found |= {f"{place} {one}": median_low(run[one] for run in runs) for one in CATEGORIES}
    assert {name: score for name, score in found.items() if score < 99} == {}


def measured(
    node: str, chromium: Path, address: str, headers: dict[str, str], folder: Path
) -> dict[str, int]:
    """The scores of a page in each category, of 100."""
    (folder / "headers.json").write_text(json.dumps(headers), encoding="utf-8")
    flags = " ".join(["--headless", *chromium_arguments()])
    options = [f"--only-categories={','.join(CATEGORIES)}", f"--extra-headers={folder / 'headers.json'}"]
    command = [
        node,
        str(LIGHTHOUSE),
        address,
        "--quiet",
        "--output=json",
        f"--chrome-flags={flags}",
        *options,
    ]
    run = subprocess.run(
        command,
        env=os.environ | {"CHROME_PATH": str(chromium)},
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(run.stdout)
    assert report["finalDisplayedUrl"] == address
    return {name: round(100 * category["score"]) for name, category in report["categories"].items()}
