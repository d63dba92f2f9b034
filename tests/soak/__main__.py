"""The harnesses in their long modes: `scripts/soak NAME`, `scripts/soak NAME --help`."""

import sys
from importlib import import_module
from typing import Final

HARNESSES: Final = {
    "crowd": ("tests.soak.phones.crowd", "eight phones record one night at once while processes are killed"),
    "evenings": ("tests.soak.phones.evenings", "thousands of evenings in virtual time, in all weather"),
    "faults": (
        "tests.soak.faults.faults",
        "power cuts, killed writers, failing disks, lost PostgreSQL servers",
    ),
    "latency": (
        "tests.soak.storm.latency",
        "milliseconds from a tap until it is drawn, recorded, seen",
    ),
    "mutate": ("tests.soak.requests.mutate", "mutated requests to every route, as calls or as bytes"),
    "mutants": ("tests.soak.mutants.mutants", "small faults planted in the program, and who notices"),
    "nasty": ("tests.soak.nasty", "processor time of the most expensive texts of 1 MB"),
    "phrases": ("tests.soak.phrases", "spoken moves, misheard"),
    "seasons": ("tests.soak.seasons", "groups of nights with debts carried over, against a model"),
    "slips": ("tests.soak.slips", "a keeper's mistakes, and who notices them"),
    "storm": ("tests.soak.storm.storm", "taps in a browser whose network, tab and server fail"),
    "tampers": ("tests.soak.tampers.battery", "tampered nights, and which check finds them"),
    "taps": ("tests.soak.storm.counting", "how many taps a round costs its keeper"),
}
"""Name -> the module with its `main`, and what it does."""


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in HARNESSES:
        print("scripts/soak NAME …, where NAME is one of", file=sys.stderr)
        for name, (_, what) in HARNESSES.items():
            print(f"  {name:10}{what}", file=sys.stderr)
        return 2
    module, _ = HARNESSES[sys.argv.pop(1)]
    result: int | None = import_module(module).main()
    return result or 0


if __name__ == "__main__":
    sys.exit(main())
