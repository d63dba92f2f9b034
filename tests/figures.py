"""Figures of the project's size: `python -m tests.figures` prints them."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "ledger"


@dataclass(frozen=True)
class Figure:
    """A count and its goal."""

    what: str
    count: int
    goal: int


def figures() -> list[Figure]:
    """All figures, counted now."""
    modules = sorted(PROGRAM.rglob("*.py"))
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    tests = (path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)
    stems = Counter(path.stem for path in modules if path.stem != "__init__")
    return [
        Figure("lines of Python in ledger/", _lines(modules), 25_000),
        Figure("modules in ledger/", len(modules), 190),
        Figure("lines of Python in tests/", _lines(tests), 37_000),
        Figure("names of modules that stand twice", sum(count > 1 for count in stems.values()), 0),
        Figure("signatures with untyped dictionaries", sum(map(_untyped, trees.values())), 10),
        Figure("public names without a docstring", sum(map(_undescribed, trees.values())), 0),
        Figure("lines of a script over 120 characters", _long("ledger/web/static", "*.js", 120), 0),
        Figure("lines of a template over 140 characters", _long("templates", "*.html", 140), 0),
    ]


def _lines(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def _long(folder: str, pattern: str, most: int) -> int:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob(pattern))
    return sum(len(line) > most for text in texts for line in text.splitlines())


def _untyped(tree: ast.Module) -> int:
    """The number of functions that take or return `dict[str, Any]`, also under the name of an alias."""
    names = {"dict[str, Any]"}
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "dict[str, Any]":
            names |= {ast.unparse(target) for target in node.targets}
    if any(
        isinstance(node, ast.ImportFrom) and "Data" in [one.name for one in node.names] for node in tree.body
    ):
        names.add("Data")
    wanted = re.compile("|".join(rf"\b{re.escape(name)}(?!\w)" for name in names))
    return sum(bool(wanted.search(signature)) for signature in map(_signature, _functions(tree)))


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _signature(function: ast.FunctionDef) -> str:
    return f"{ast.unparse(function.args)} -> {ast.unparse(function.returns) if function.returns else ''}"


def _undescribed(tree: ast.Module) -> int:
    """The number of public functions and classes of a module without a docstring."""
    public = (
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    )
    return sum(ast.get_docstring(node) is None for node in public)


if __name__ == "__main__":
    for figure in figures():
        print(f"{figure.count:>7,}  {figure.what} (goal {figure.goal:,})")
