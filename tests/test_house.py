"""The house keeps its own rules: those that no linter knows."""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "ledger").rglob("*.py"))
GAME_MODULES = [module for module in MODULES if module.startswith("ledger/game/")]

LONGEST_MODULE = 400
# Module -> why it is longer.
LONGER_FOR_A_REASON: dict[str, str] = {
    "ledger/game/rulesets/types.py": "everything that a table can agree on, in one place to read",
}

NAMES_THAT_SAY_NOTHING = {"util", "utils", "helper", "helpers", "service", "services", "manager", "managers"}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_short_or_says_why_not(module: str) -> None:
    lines = len((ROOT / module).read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_MODULE or module in LONGER_FOR_A_REASON, f"{lines} lines"


def test_a_reason_is_given_only_for_a_module_that_needs_one() -> None:
    for module, reason in LONGER_FOR_A_REASON.items():
        assert reason
        assert len((ROOT / module).read_text(encoding="utf-8").splitlines()) > LONGEST_MODULE


@pytest.mark.parametrize("module", MODULES)
def test_the_name_of_a_module_says_what_it_is(module: str) -> None:
    assert NAMES_THAT_SAY_NOTHING.isdisjoint(re.split(r"[/_.]", module))


@pytest.mark.parametrize("module", GAME_MODULES)
def test_the_rules_import_the_standard_library_only(module: str) -> None:
    allowed = sys.stdlib_module_names | {"ledger"}
    imported = set(imported_packages(ast.parse((ROOT / module).read_text(encoding="utf-8"))))
    assert imported <= allowed


@pytest.mark.parametrize("pinned", ["test", "bench"])
def test_every_pinned_set_agrees_with_the_one_that_is_served(pinned: str) -> None:
    """On the version: on which platforms a package is needed depends on who else needs it."""
    served, other = (
        {name: (version.partition(" ;")[0], hashes) for name, (version, hashes) in requirements(each).items()}
        for each in ("run", pinned)
    )
    shared = served.keys() & other.keys()
    assert {name: other[name] for name in shared} == {name: served[name] for name in shared}


def test_what_is_compared_with_the_ledger_is_served_by_the_same_waitress() -> None:
    assert requirements("ihatemoney")["waitress"] == requirements("run")["waitress"]


def test_a_pinned_set_names_no_address_and_hashes_every_package() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path.name
        assert "--find-links" not in text, path.name
        assert all(hashes for _version, hashes in requirements(path.stem).values()), path.name


def test_the_packages_that_check_the_scripts_are_hashed_and_come_from_whatever_registry_is_configured() -> (
    None
):
    lock = json.loads((ROOT / "tests/javascript/package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert package["integrity"].startswith("sha512-"), name


def imported_packages(tree: ast.Module) -> Iterator[str]:
    """The top-level packages that a module imports, its own package by its name."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name.partition(".")[0]


def requirements(pinned: str) -> dict[str, tuple[str, frozenset[str]]]:
    """A pinned set as name -> (version and marker, hashes)."""
    text = (ROOT / "requirements" / f"{pinned}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if not line or line.startswith("--only-binary"):
            continue
        name, _, rest = line.partition("==")
        version, *hashes = rest.split("--hash=")
        found[name] = (version.strip(), frozenset(value.strip() for value in hashes))
    return found
