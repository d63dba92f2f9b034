"""Compare the answers of the golden nights with their files, or write them anew, on purpose:

python -m tests.golden --write

Look at what has changed before it is committed: texts, hashes, codes and `.tln` of the entries so far never do.
"""

import argparse
import sys

from tests.golden.answers import FOLDER, differences, nights, write


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    arguments.add_argument("--write", action="store_true", help="write them instead of comparing")
    if arguments.parse_args().write:
        for night, files in nights():
            print(f"{FOLDER / night}: {write(night, files)} files changed")
        return 0
    found = [difference for night, files in nights() for difference in differences(night, files)]
    print("\n".join(found) or "as they were")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
