"""The harnesses in their long modes: `scripts/soak NAME`, `scripts/soak NAME --help`."""

import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.soak.running import run

HARNESSES: Final = tomllib.loads(Path(__file__).with_name("harnesses.toml").read_text(encoding="utf-8"))
"""Name -> the function, as module:function, and what it does."""


def main() -> int:
    words = sys.argv[1:]
    name = next((name for name in HARNESSES if words[: len(name.split())] == name.split()), None)
    if name is None:
        print("scripts/soak NAME …, where NAME is one of", file=sys.stderr)
        for each, (_, what) in HARNESSES.items():
            print(f"  {each:17}{what}", file=sys.stderr)
        return 2
    where, _, function = HARNESSES[name][0].partition(":")
    module = import_module(f"tests.soak.{where}")
    return run(name, getattr(module, function or "soak"), words[len(name.split()) :])


if __name__ == "__main__":
    sys.exit(main())
