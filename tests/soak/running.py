"""How the harnesses run: their options, a line of progress, their figures; temporary folders and a browser."""

import argparse
import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final, TypeVar, get_args, get_type_hints

from playwright.sync_api import Browser, sync_playwright

from tests.conftest import chromium_arguments, find_chromium
from tests.processes import end_with_parent

_EVERY: Final = 5.0
"""Seconds between two lines of progress."""
_MOST: Final = 20
"""The number of wrong things that are printed."""

T = TypeVar("T")
J = TypeVar("J")


@dataclass(frozen=True, slots=True)
class Result:
    """A harness's figures, and a line for each thing that is wrong."""

    figures: str
    wrong: Sequence[object] = ()


class Progress:
    """Says on standard error how far a run has come: `done` of so many."""

    def __init__(self, of: int, what: str) -> None:
        self._of, self._what = of, what
        self._began, self._next = monotonic(), 0.0

    def __call__(self, done: int) -> None:
        if (now := monotonic()) >= self._next:
            self._next = now + _EVERY
            print(
                f"{done:,} of {self._of:,} {self._what}, {now - self._began:.0f} s",
                file=sys.stderr,
                flush=True,
            )


def progress(things: Iterable[T], of: int, what: str) -> Iterator[T]:
    """The things, while standard error says how many of them are done."""
    say = Progress(of, what)
    say(0)
    for done, thing in enumerate(things, start=1):
        yield thing
        say(done)


def row(name: str, *cells: object) -> None:
    """Print a row of a table."""
    print(f"{name:42}", *(f"{cell:>9}" for cell in map(str, cells)), flush=True)


def in_processes(work: Callable[[J], T], jobs: Sequence[J], count: int, what: str) -> Iterator[T]:
    """The results of jobs in so many processes, in order. Unlike a Pool, this ends if a process cannot start."""
    with ProcessPoolExecutor(count, get_context("forkserver"), end_with_parent) as workers:
        yield from progress(workers.map(work, jobs), len(jobs), what)


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder, in memory if the machine has /dev/shm."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(prefix="soak-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@contextmanager
def on_disk() -> Iterator[Path]:
    """A temporary folder on a disk."""
    with TemporaryDirectory(prefix="soak-") as folder:
        yield Path(folder)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_arguments())
        yield started
        started.close()


def run(name: str, harness: Callable[..., Result], arguments: Sequence[str]) -> int:
    """Run a harness; print what is wrong, and a line with its figures. The exit status is 1 if anything is."""
    chosen, began = vars(_options(name, harness).parse_args(arguments)), monotonic()
    result = harness(**chosen)
    for wrong in result.wrong[:_MOST]:
        print(wrong)
    print(f"{name}: {result.figures}; {len(result.wrong)} wrong, {monotonic() - began:.0f} s")
    return bool(result.wrong)


def _options(name: str, harness: Callable[..., Result]) -> argparse.ArgumentParser:
    """An option for each argument of a harness; `Annotated` has its explanation, and the values to choose from."""
    parser = argparse.ArgumentParser(
        prog=f"scripts/soak {name}",
        description=inspect.getdoc(harness),
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    hints = get_type_hints(harness, include_extras=True)
    for option in inspect.signature(harness).parameters.values():
        said = get_args(hints[option.name])[1:]
        how: dict[str, Any] = {
            "default": option.default,
            "help": " ".join(s for s in said if isinstance(s, str)) or " ",
        }
        if option.default is False:
            how["action"] = "store_true"
        else:
            how["type"] = str if option.default == () else type(option.default)
            how["nargs"] = "*" if option.default == () else None
            how["choices"] = next(
                (s for s in said if isinstance(s, Collection) and not isinstance(s, str)), None
            )
        parser.add_argument(f"--{option.name}", **how)
    return parser
