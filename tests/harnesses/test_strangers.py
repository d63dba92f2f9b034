"""Strangers who send the dearest requests that need no link hold up no table; planted defects are found."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.soak.strangers import DEFECTS, WITHOUT_LINK, attacked
from tests.soaking import PLANTED, further
from tests.web.routes import Route

ROUTES = [
    Route("GET", "/"),
    Route("POST", "/paste"),
    Route("POST", "/language"),
    Route("GET", "/how-to-play"),
]
BRIEF: Any = {"clients": 6, "requests": 120, "seconds": 4.0, "within": 4.0, "slower": 20.0}
"""Other programs may keep the machine busy; a server that a stranger stops answers after eight seconds or never."""
ONE_EACH: Any = {"clients": 3, "requests": 3, "seconds": 1.0, "rests": 3.0}
"""One of two processes has two planted pages, and works on them for twice as long as a server may here."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="a server's processes are found in /proc"),
]


def test_a_table_records_beside_strangers(tmp_path: Path) -> None:
    assert set(ROUTES) <= set(WITHOUT_LINK)
    tally = attacked(tmp_path, "rounds", ROUTES, 1, **BRIEF)
    assert tally.wrong == []
    assert tally["requests"] > 6
    assert 0 < tally["answered"] < tally["requests"]


@pytest.mark.parametrize("defect", further(DEFECTS, PLANTED))
def test_a_planted_defect_is_found(tmp_path: Path, defect: str) -> None:
    assert attacked(tmp_path, "rounds", ROUTES[:1], 1, defect=defect, **BRIEF | ONE_EACH).wrong != []
