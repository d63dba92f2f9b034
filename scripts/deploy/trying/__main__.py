"""Run the named parts, or all, and report what was tested, what failed, and what could not be tested and why."""

import argparse
import sys
from collections.abc import Callable, Iterator

from trying.databases import databases
from trying.evening import evening
from trying.files import caddyfile, compose, units
from trying.hosts import fresh_debian, home, wheel
from trying.image import image
from trying.pythons import pythons
from trying.roots import Missing, Wrong
from trying.walk import walk

PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "units": units,
    "caddy": caddyfile,
    "databases": databases,
    "compose": compose,
    "wheel": wheel,
    "home": home,
    "image": image,
    "debian": fresh_debian,
    "evening": lambda: fresh_debian(evening),
    "walk": walk,
    "pythons": pythons,
}
ALL = [part for part in PARTS if part not in ("debian", "evening")]
"""The parts to run if none is named: `walk` includes both others."""


def main() -> int:
    """The exit status: 0 if nothing is wrong, also if parts could not be tested; else 1."""
    parser = argparse.ArgumentParser(prog="scripts/deploy/try")
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=", ".join(PARTS))
    wrong = False
    for name in parser.parse_args().parts or ALL:
        try:
            for said in PARTS[name]():
                print(f"✓ {name:9} {said}", flush=True)
        except Missing as missing:
            print(f"- {name:9} not tried: {missing}", flush=True)
        except Wrong as found:
            wrong = True
            print(f"✗ {name:9} {found}", flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
