"""Which tests stand on what differs from main: `python -m tests.layers [BASE]` prints their folders and files.

The import graph of the program says which packages use a changed one: a change of the store also asks the tests of
the recorder, the command line and the pages, and none of the rules. A change of what every test stands on asks all.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
ALL = "tests"
OF_THE_WEB = (
    "tests/web",
    "tests/browser",
    "tests/javascript",
    "tests/golden",
    "tests/clients",
    "tests/harnesses",
)
TESTS = {
    "ledger.game": ("tests/game",),
    "ledger.language": ("tests/language",),
    "ledger.store": ("tests/store", "tests/harnesses"),
    "ledger.recorder": ("tests/recorder", "tests/harnesses"),
    "ledger.cli": ("tests/cli", "tests/installing"),
    "ledger.web": OF_THE_WEB,
    "ledger.resources": ("tests/cli", "tests/web"),
}
"""The tests of each package of the program; a test holds the list complete."""
OF_FILES = {
    "ledger/web/static/": OF_THE_WEB,
    "templates/": OF_THE_WEB,
    "migrations/": ("tests/store", "tests/cli"),
    "scripts/benchmarks/": ("tests/test_bench.py",),
    "scripts/deploy/": ("tests/installing",),
    "scripts/readers/": ("tests/javascript",),
}
"""The tests of what is not Python of the program, by the beginning of its path."""
ALWAYS = ("tests/test_house.py", "tests/test_documents.py", "tests/test_security.py")


def standing_on(changed: Iterable[str]) -> list[str]:
    """The folders and files of tests that stand on these files, whose paths are relative to the checkout."""
    found = set(ALWAYS)
    graph = grimp.build_graph("ledger", cache_dir=None)
    for path in changed:
        found.update(_standing_on(path, graph))
    return [ALL] if ALL in found else sorted(found)


def _standing_on(path: str, graph: grimp.ImportGraph) -> Iterator[str]:
    for beginning, tests in OF_FILES.items():
        if path.startswith(beginning):
            yield from tests
            return
    match Path(path).parts:
        case ["ledger", package, *_] if (name := f"ledger.{package.removesuffix('.py')}") in TESTS:
            yield from TESTS[name]
            for user in graph.find_downstream_modules(name, as_package=True):
                yield from TESTS.get(".".join(user.split(".")[:2]), ())
        case ["tests", folder, *_] if (
            folder not in ("cases", "records", "soak") and (ROOT / "tests" / folder).is_dir()
        ):
            yield f"tests/{folder}"
        case [name] if name.endswith(".md"):
            pass  # ALWAYS has the tests of documents
        case _:
            yield ALL


def changed_since(base: str) -> list[str]:
    """The paths that differ from the place where this branch left `base`, committed or not."""
    fork = _git("merge-base", base, "HEAD")[0]
    return _git("diff", "--name-only", fork) + _git("ls-files", "--others", "--exclude-standard")


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


if __name__ == "__main__":
    print("\n".join(standing_on(changed_since(sys.argv[1] if len(sys.argv) > 1 else "main"))))
