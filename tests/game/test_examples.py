"""The examples in the documentation of the rules run, and the repr of a round."""

import doctest
import importlib
import pkgutil

import pytest

from ledger import game
from tests.game.stories import FIRST_OUT
from tests.game.table import after

MODULES = ["ledger.game", *(found.name for found in pkgutil.walk_packages(game.__path__, "ledger.game."))]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_say_what_it_does(module: str) -> None:
    assert not doctest.testmod(importlib.import_module(module)).failed


def test_every_step_of_the_reading_order_has_its_example() -> None:
    assert doctest.testmod(game).attempted >= 30


@pytest.mark.parametrize(
    ("story", "table"),
    [
        ("", "p1 13, p2 13 | nothing laid | the lowest card opens"),
        ("round 1 lead p2", "p1 13, p2 13 | nothing laid | p2 leads"),
        ("p1 3s\np2 5c", "p1 12, p2 12 | 3s < 5c | p1 to act"),
        ("p1 3s 3c\np2 -", "p1 11, p2 13 | 3s 3c | p1 leads"),
        (FIRST_OUT[2], "p1 0, p2 12 | 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As | over"),
    ],
)
def test_a_round_prints_the_table(story: str, table: str) -> None:
    assert repr(after(story, players=2)) == f"<Round of southern-classic | {table}>"
