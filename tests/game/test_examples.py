"""The examples in the documentation of the rules run."""

import doctest
import importlib
import pkgutil

import pytest

from ledger import game

MODULES = ["ledger.game", *(found.name for found in pkgutil.walk_packages(game.__path__, "ledger.game."))]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_say_what_it_does(module: str) -> None:
    assert not doctest.testmod(importlib.import_module(module)).failed


def test_every_step_of_the_reading_order_has_its_example() -> None:
    assert doctest.testmod(game).attempted >= 30
