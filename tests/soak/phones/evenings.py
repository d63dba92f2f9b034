"""Thousands of evenings in virtual time. Among others, what is acknowledged must be recorded exactly once.

scripts/soak evenings --seeds 10000
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

from tests.processes import end_with_parent
from tests.soak.phones.evening import DEFECTS, LENGTH, Outcome, Plan, database, scratch, spend
from tests.soak.phones.weather import WHATS

_AT_ONCE = 50
"""The number of evenings in one database."""


def spend_all(plans: list[Plan]) -> list[Outcome]:
    """Run some evenings in one database. Of several, only those that find something keep their story."""
    with scratch() as folder, database(folder) as store:
        outcomes = [spend(store, plan) for plan in plans]
    return [one if one.found or len(plans) == 1 else replace(one, story=()) for one in outcomes]


def shrunk(outcome: Outcome) -> Outcome:
    """The smallest plan that still finds something: fewer happenings, and fewer kinds of faults."""
    with scratch() as folder, database(folder) as store:
        for what in WHATS:
            without = spend(store, replace(outcome.plan, without=(*outcome.plan.without, what)))
            outcome = without if without.found else outcome
        for fewer in (16, 8, 4, 2, 1, 1):
            while outcome.plan.length > fewer:
                shorter = spend(store, replace(outcome.plan, length=outcome.plan.length - fewer))
                if not shorter.found:
                    break
                outcome = shorter
    return outcome


def report(outcome: Outcome) -> Iterator[str]:
    """The lines that report a violation: the finding, and the smallest command that reproduces it."""
    small = shrunk(outcome)
    yield f"{outcome.plan}: {outcome.found}"
    yield f"  again, and smaller: scripts/soak evenings {small.plan}"
    yield f"  {small.found}"
    yield from (f"    {line}" for line in small.story)


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/soak evenings", description="Evenings in virtual time.")
    parser.add_argument("--seeds", type=int, default=1000, help="how many evenings (1000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--seed", type=int, help="only this one, with its story")
    parser.add_argument("--length", type=int, default=LENGTH, help=f"happenings of an evening ({LENGTH})")
    parser.add_argument("--without", action="append", default=[], choices=WHATS, help="leave this out")
    parser.add_argument("--defect", choices=DEFECTS, default="", help="plant it, and see it found")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="processes")
    chosen = parser.parse_args()
    seeds = range(chosen.first, chosen.first + chosen.seeds)
    plans = [
        Plan(seed, chosen.length, tuple(chosen.without), chosen.defect)
        for seed in (seeds if chosen.seed is None else [chosen.seed])
    ]
    began = time.monotonic()
    workers = ProcessPoolExecutor(chosen.jobs, get_context("forkserver"), end_with_parent)
    with workers:
        jobs = [plans[at : at + _AT_ONCE] for at in range(0, len(plans), _AT_ONCE)]
        outcomes = [outcome for some in workers.map(spend_all, jobs) for outcome in some]
    if chosen.seed is not None:
        print("\n".join(outcomes[0].story))
    wrong = [outcome for outcome in outcomes if outcome.found]
    for outcome in wrong[:1]:
        print("\n".join(report(outcome)))
    for found, count in Counter(outcome.found.partition(":")[0] for outcome in wrong).most_common():
        print(f"{count:8} {found}")
    entries = sum(outcome.entries for outcome in outcomes)
    print(
        f"{len(outcomes)} evenings, {entries} entries, {len(wrong)} violated something,"
        f" {time.monotonic() - began:.0f} s in {chosen.jobs} processes"
    )
    return bool(wrong)
