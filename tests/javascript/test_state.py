"""The state of a keeper's page, and its transitions: `state.test.mjs`, run by node."""

from pathlib import Path

import pytest

from tests.javascript.conftest import run
from tests.soaking import PLANTED, further

# A planted defect that the tests must find -> a text of state.js, and its replacement.
DEFECTS = {
    "a tap answers what has just come": ("since <= now - SEEN_AFTER_MS", "since <= now"),
    "cards come after what the page shows by now": (
        "let after = state.draft.after ?? seen(state, now);",
        "let after = newest(state);",
    ),
    "what is dropped breaks the chain": ("after = entry.id;\n      return", "return"),
    "what waits is forgotten when the page comes anew": ("entry.seq !== null && ", "entry.seq === null || "),
    "one's own entries are news": (" || state.own.includes(after)", ""),
}


def test_every_tap_is_recorded_once_as_shown_or_stands_before_a_person(node: str, scripts: Path) -> None:
    done = run(node, scripts, "state.test.mjs")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("defect", further(DEFECTS, PLANTED))
def test_a_planted_defect_is_found(node: str, scripts: Path, defect: str) -> None:
    planted, instead = DEFECTS[defect]
    script = scripts / "state.js"
    text = script.read_text(encoding="utf-8")
    assert planted in text
    script.write_text(text.replace(planted, instead), encoding="utf-8")
    assert run(node, scripts, "state.test.mjs").returncode != 0
