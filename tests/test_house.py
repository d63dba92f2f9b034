"""The project's own rules of style that no linter checks."""

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
# Module -> the reason why it is longer.
LONGER_FOR_A_REASON: dict[str, str] = {}

# Files -> the longest line in characters. eslint checks scripts too, but not every machine has it.
LONGEST_LINES = {
    "tests/javascript/*.*js": 120,
    "templates/**/*.html": 140,
}

NAMES_THAT_SAY_NOTHING = {"util", "utils", "helper", "helpers", "service", "services", "manager", "managers"}

RIDDLES = {"told", "said", "beside", "seen", "laid", "of_use", "go_on"}
NAMES_FOR_OTHERS = {"seen", "SEEN"}
"""The exceptions: a field of the interface, and a clause."""


def test_a_module_is_short_or_says_why_not() -> None:
    lengths = {module: len(lines_of(ROOT / module)) for module in MODULES}
    assert {
        module for module, lines in lengths.items() if lines > LONGEST_MODULE
    } == LONGER_FOR_A_REASON.keys()
    assert all(LONGER_FOR_A_REASON.values())


@pytest.mark.parametrize("files", LONGEST_LINES)
def test_a_line_of_a_script_or_a_template_can_be_read(files: str) -> None:
    paths = list(ROOT.glob(files))
    assert paths
    too_long = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters"
        for path in paths
        for number, line in enumerate(lines_of(path), start=1)
        if len(line) > LONGEST_LINES[files]
    ]
    assert too_long == []


def test_the_name_of_a_module_says_what_it_is() -> None:
    assert [module for module in MODULES if NAMES_THAT_SAY_NOTHING & set(re.split(r"[/_.]", module))] == []


def test_a_screen_is_found_by_one_word_in_its_pages_templates_scripts_and_tests() -> None:
    words = rooms("ledger/web/pages", "**/*.py") - {"__init__"}
    assert rooms("templates", "**/*.html") == words
    assert rooms("ledger/web/static", "**/*.*") <= words
    assert rooms("tests/javascript", "*.test.mjs", "*/*.test.mjs") <= words
    assert rooms("tests/browser", "*/test_*.py") | rooms("tests/browser/journeys", "**/*.txt") <= words
    stories, tests = rooms("tests/cases/pages", "**/*.txt"), rooms("tests/web", "*/test_*.py")
    assert stories | tests == words


def test_a_page_renders_the_templates_of_its_word() -> None:
    pages = ROOT / "ledger/web/pages"
    for module in pages.rglob("*.py"):
        word = module.relative_to(pages).parts[0].removesuffix(".py")
        assert set(re.findall(r'"(\w+)/\w+\.html"', module.read_text(encoding="utf-8"))) <= {word}, module


def test_no_name_is_a_riddle() -> None:
    found = set()
    for module in MODULES:
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
    assert {name for name in found if name.strip("_").lower() in RIDDLES} == NAMES_FOR_OTHERS


def test_the_modules_of_the_recorder_can_be_read_in_the_order_that_it_lists() -> None:
    folder = ROOT / "ledger" / "recorder"
    modules = {
        path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    listed = list(dict.fromkeys(re.findall(r"`(\w+)/?`", docstring)))
    assert {*listed} == modules - {"__init__"}
    for place, module in enumerate(listed):
        files = (
            folder.glob(f"{module}.py")
            if (folder / f"{module}.py").exists()
            else (folder / module).glob("*.py")
        )
        imported = {
            name
            for file in files
            for name in re.findall(r"^from ledger\.recorder\.(\w+)", file.read_text(), re.M)
        }
        assert imported <= {*listed[: place + 1]}, module


def test_the_rules_import_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"ledger"}
    for module in GAME_MODULES:
        imported = set(imported_packages(ast.parse((ROOT / module).read_text(encoding="utf-8"))))
        assert imported <= allowed, module


def test_a_quick_run_has_every_test_of_the_rules() -> None:
    """The lines that these must reach are counted in whole runs and in quick ones."""
    files = (ROOT / "tests" / "game").rglob("*.py")
    assert [file for file in files if "mark.slow" in file.read_text(encoding="utf-8")] == []


def test_every_pinned_set_agrees_with_the_one_that_is_served() -> None:
    """Versions only: platform markers depend on the other packages of a set."""
    served = requirements("run")
    for pinned in ("test", "bench"):
        other = requirements(pinned)
        for name in served.keys() & other.keys():
            assert _without_marker(other[name]) == _without_marker(served[name]), (pinned, name)


def _without_marker(package: tuple[str, frozenset[str]]) -> tuple[str, frozenset[str]]:
    version, hashes = package
    return version.partition(" ;")[0], hashes


def test_what_is_compared_with_the_ledger_is_served_by_the_same_waitress() -> None:
    assert requirements("ihatemoney")["waitress"] == requirements("run")["waitress"]


def test_a_pinned_set_names_no_address_and_hashes_every_package() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path.name
        assert "--find-links" not in text, path.name
        assert all(hashes for _version, hashes in requirements(path.stem).values()), path.name


NODE = sorted(
    path.parent for path in (ROOT / "tests").rglob("package.json") if "node_modules" not in path.parts
)


@pytest.mark.parametrize("folder", NODE, ids=lambda folder: folder.name)
def test_packages_of_node_are_hashed_and_come_from_whatever_registry_is_configured(folder: Path) -> None:
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert package["integrity"].startswith("sha512-"), name


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def imported_packages(tree: ast.Module) -> Iterator[str]:
    """The top-level packages that a module imports absolutely."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name.partition(".")[0]


def requirements(pinned: str) -> dict[str, tuple[str, frozenset[str]]]:
    """A pinned set: name -> (version and marker, hashes)."""
    text = (ROOT / "requirements" / f"{pinned}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if not line or line.startswith("--only-binary"):
            continue
        name, _, rest = line.partition("==")
        version, *hashes = rest.split("--hash=")
        found[name] = (version.strip(), frozenset(value.strip() for value in hashes))
    return found


def rooms(place: str, *patterns: str) -> set[str]:
    """The folders of a place in which such files lie, and the names of those that lie in none."""
    paths = [path for pattern in patterns for path in (ROOT / place).glob(pattern)]
    return {path.relative_to(ROOT / place).parts[0].removesuffix(".py") for path in paths}
