"""Queued entries in the tabs of one phone: `queue.test.mjs`, run by node over the page scripts."""

from pathlib import Path

import pytest

from tests.javascript.conftest import run
from tests.soaking import PLANTED, further

# A planted defect -> a script, a text of it, its replacement, and the evening that must find it.
DEFECTS = {
    "the places of one tab are those of all": (
        "state.js",
        "sorted.forEach(put);",
        "ordered.push(...sorted);",
        26,
    ),
    "a note goes when IndexedDB is complete": (
        "storage.js",
        "      unkept.delete(entry.id);\n    } catch {",
        "      unkept.delete(entry.id);\n      forgetNote(entry.id);\n    } catch {",
        26,
    ),
    "a tab sends what it knows of, and does not look": (
        "queue.js",
        "await ready;\n  await read();",
        "await ready;",
        6,
    ),
    "what is dropped is not told": ("queue.js", "dropped: [...dropped] }", "dropped: [] }", 1),
    "what was shown here stays kept": ("queue.js", "if (gone.includes(id)) kept.remove(id);", ";", 6),
}


def test_whatever_is_tapped_in_any_tab_is_recorded_once_and_in_order(node: str, scripts: Path) -> None:
    done = run(node, scripts, "queue.test.mjs")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("defect", further(DEFECTS, PLANTED))
def test_a_planted_defect_is_found(node: str, scripts: Path, defect: str) -> None:
    name, planted, instead, seed = DEFECTS[defect]
    script = scripts / name
    text = script.read_text(encoding="utf-8")
    assert planted in text
    script.write_text(text.replace(planted, instead), encoding="utf-8")
    assert run(node, scripts, "queue.test.mjs", SEED=str(seed), RUNS="5").returncode != 0
