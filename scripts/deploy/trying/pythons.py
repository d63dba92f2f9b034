"""Run the quick tests and a server under the Python of Debian's stable release and of its next one."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from trying.roots import Wrong, copy_checkout, copy_root, debian, run_in

_RELEASES = ("trixie", "forky")
_TRY = """
apt-get -qq update
apt-get -qq install --yes python3-venv >/tmp/apt
source scripts/setup
prepare test
export PATH=$PWD/.venv/bin:$PATH
pytest -q --numprocesses auto -m "not slow" tests/game tests/language tests/store tests/recorder tests/cli tests/web
scripts/serve --port 8123 &
until python -c "import urllib.request as web; web.urlopen('http://127.0.0.1:8123/healthz')"; do sleep 1; done
kill $! && wait $!
tienlen demo
python --version
"""


def pythons() -> Iterator[str]:
    """Run them under each release's own Python."""
    for release in _RELEASES:
        with TemporaryDirectory(prefix="tienlen-try-") as place:
            root = Path(place) / "debian"
            copy_root(debian(f"debian:{release}-slim"), root)
            copy_checkout(root / "srv")
            environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
            try:
                said = run_in(root, ["bash", "-euc", _TRY], environment, folder="/srv").splitlines()
            except subprocess.CalledProcessError as error:
                raise Wrong(f"{release}: {error.stdout[-2000:]}") from None
            yield f"{said[-1]}: {next(line for line in said if ' passed' in line)}; serves, and records a night"
