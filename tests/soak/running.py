"""How the harnesses run: their options, a line of progress, their figures; temporary folders and a browser."""

import argparse
import inspect
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic
from typing import Any, Final, TypeVar, get_args, get_type_hints

from playwright.sync_api import Browser, sync_playwright

from tests.conftest import chromium_arguments, find_chromium
from tests.processes import end_with_parent

_EVERY: Final = 5.0  # seconds between two lines of progress
_MOST: Final = 20  # the number of wrong things that are printed

T = TypeVar("T")
J = TypeVar("J")


class Tally(Counter[str]):
    """What a harness has counted, and a line for each thing that is wrong."""

    def __init__(self, counts: Mapping[str, int] | None = None, wrong: Iterable[object] = ()) -> None:
        super().__init__(counts)
        self.wrong = [str(one) for one in wrong]


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
    print(f"{name:42}", *(f"{cell:>9}" for cell in map(str, cells)), flush=True)


def in_processes(work: Callable[[J], T], jobs: Sequence[J], what: str) -> Iterator[T]:
    """The results of jobs in a few processes, in order. Unlike a Pool, this ends if a process cannot start."""
    count = min(os.cpu_count() or 1, 4)
    with ProcessPoolExecutor(count, get_context("forkserver"), end_with_parent) as workers:
        yield from progress(workers.map(work, jobs), len(jobs), what)


@contextmanager
def in_threads(
    work: Sequence[Callable[[], object]], stop: Event, begin: Callable[[], object] = lambda: None
) -> Iterator[None]:
    """Do some work during the block, each piece in a thread that calls `begin` first; then set `stop`, and wait
    until all have ended. Each piece notes its own failures."""
    with ThreadPoolExecutor(len(work), initializer=begin) as pool:
        for piece in work:
            pool.submit(piece)
        try:
            yield
        finally:
            stop.set()


@contextmanager
def scratch(*, in_memory: bool = False) -> Iterator[Path]:
    """A temporary folder, on a disk or, if the machine has /dev/shm, in memory."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(prefix="soak-", dir=memory if in_memory and memory.is_dir() else None) as folder:
        yield Path(folder)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_arguments())
        yield started
        started.close()


def run(name: str, harness: Callable[..., Tally], arguments: Sequence[str]) -> int:
    """Run a harness; print what is wrong, and a line with its figures. The exit status is 1 if anything is."""
    parser, began = _options(name, harness), monotonic()
    chosen, others = parser.parse_known_args(arguments)
    if others and not _takes_others(harness):
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    tally = harness(*others, **vars(chosen))
    for wrong in tally.wrong[:_MOST]:
        print(wrong)
    figures = ", ".join(f"{count:,} {what}" for what, count in tally.items())
    print(f"{name}: {figures}; {len(tally.wrong)} wrong, {monotonic() - began:.0f} s")
    return bool(tally.wrong)


def _takes_others(harness: Callable[..., Tally]) -> bool:
    """Whether a harness passes on arguments that are none of its options."""
    kinds = {option.kind for option in inspect.signature(harness).parameters.values()}
    return inspect.Parameter.VAR_POSITIONAL in kinds


def _options(name: str, harness: Callable[..., Tally]) -> argparse.ArgumentParser:
    """An option for each argument of a harness; `Annotated` has its explanation, and the values to choose from."""
    parser = argparse.ArgumentParser(
        prog=f"scripts/soak {name}",
        description=inspect.getdoc(harness),
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    hints = get_type_hints(harness, include_extras=True)
    for option in inspect.signature(harness).parameters.values():
        said = get_args(hints[option.name])[1:]
        if option.kind is option.VAR_POSITIONAL:
            parser.epilog = f"Other arguments are {said[0]}."
            continue
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
