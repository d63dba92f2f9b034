"""The guard of the processes that a test run starts: it outlives the run and kills what the run left behind.

Its standard input is a pipe from the run, with lines `watch PID [FOLDER]` and `release PID`. When the pipe ends or
the run is gone, it kills every watched process with its process group, and deletes their folders.
"""

import os
import select
import shutil
import signal
import sys
from contextlib import suppress


def main() -> None:
    run, watched, unread = os.getppid(), dict[int, str](), b""
    while os.getppid() == run:
        if not select.select([sys.stdin.fileno()], [], [], 0.5)[0]:
            continue
        chunk = os.read(sys.stdin.fileno(), 65536)
        if not chunk:
            break
        *lines, unread = (unread + chunk).split(b"\n")
        for word, process, *folder in (line.decode().split(" ", 2) for line in lines):
            if word == "watch":
                watched[int(process)] = "".join(folder)
            else:
                watched.pop(int(process), None)
    for left, its_folder in watched.items():
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError):
                kill(left, signal.SIGKILL)
        if its_folder:
            shutil.rmtree(its_folder, ignore_errors=True)


if __name__ == "__main__":
    main()
