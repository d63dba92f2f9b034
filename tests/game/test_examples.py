"""The examples in the documentation of the rules run."""

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from ledger import game

MODULES = ["ledger.game", *(found.name for found in pkgutil.walk_packages(game.__path__, "ledger.game."))]
DENSE = ("blocks", "combinations", "covers", "legal_cards", "patterns", "rulesets.needs", "special_sets")
"""Modules whose every public function has an example: its own, or that of its class or module."""


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_say_what_it_does(module: str) -> None:
    assert not doctest.testmod(importlib.import_module(module)).failed


def test_every_step_of_the_reading_order_has_its_example() -> None:
    assert doctest.testmod(game).attempted >= 30


def without_example(module: ModuleType) -> Iterator[str]:
    """The public functions of a module, and methods and properties of its public classes, that no example uses."""
    for name, defined in vars(module).items():
        if name.startswith("_") or getattr(defined, "__module__", "") != module.__name__:
            continue
        functions = {name: defined} if not inspect.isclass(defined) else vars(defined)
        for inner, function in functions.items():
            documented = getattr(function, "__func__", function)
            if inner.startswith("_") or not (callable(documented) or isinstance(documented, property)):
                continue
            docs = {inspect.getdoc(one) or "" for one in (documented, defined, module)}
            examples = [one.source for text in docs for one in doctest.DocTestParser().get_examples(text)]
            if not any(re.search(rf"\b{inner}\b", source) for source in examples):
                yield f"{module.__name__}.{name}" + (f".{inner}" if inner != name else "")


@pytest.mark.parametrize("module", DENSE)
def test_a_public_function_of_a_dense_module_has_an_example(module: str) -> None:
    assert [*without_example(importlib.import_module(f"ledger.game.{module}"))] == []


def test_a_function_without_an_example_is_named() -> None:
    planted = ModuleType("planted", ">>> used()")
    exec(
        "def used(): ...\ndef unused(): ...\nclass Value:\n    @property\n    def size(self): ...",
        vars(planted),
    )
    assert [*without_example(planted)] == ["planted.unused", "planted.Value.size"]
