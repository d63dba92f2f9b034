"""The ledger compared with ihatemoney, a bill-splitting application that also uses Flask, SQLAlchemy and SQLite."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import environments, records
from benchmarks.measuring import Effort, Figure, Goal, Row, milliseconds, percentile
from benchmarks.nights import prepare, some_rounds
from benchmarks.servers import Answer, Connection, Server, expect, ledger_server, waitress_server
from benchmarks.service import Keeper
from ledger.game.scoring import payments
from ledger.recorder import Installation

_ENTRIES = 40
_OURS, _THEIRS = "the ledger's page after one more round", "ihatemoney's after one more bill"

Times = dict[str, list[float]]
"""Seconds of each answer, by request."""


def rows(effort: Effort) -> Iterator[Row]:
    """The page that lists all entries."""
    python = environments.python_of("ihatemoney")
    missing = "" if python else environments.MISSING
    paid = sum(len(payments(round)) for round in some_rounds(_ENTRIES))
    starts = [_start(python, effort) for _ in range(effort.starts)] if python else []
    yield Row(
        name="ledger-ihatemoney",
        title=f"{_OURS}, against {_THEIRS}, p50",
        values=[median(times[_THEIRS]) / median(times[_OURS]) for times in starts],
        goal=Goal(6, least=True),
        same_work="Over HTTP, in turns, one kept-alive connection each; ihatemoney with its defaults in the same "
        f"waitress. A night of {_ENTRIES} settled rounds, and {effort.added} more by the end: balances, running "
        f"totals, each payment ({paid} of the first {_ENTRIES}), a form, after one more round was settled. "
        "A project of the same four and as many bills, each for all: the page with the list, balances and a form, "
        "asked for after one more bill.",
        measured=_figures(starts),
        missing=missing,
    )


def _figures(starts: Sequence[Times]) -> Mapping[str, Figure]:
    figures = {}
    for name in (_OURS, _THEIRS) if starts else ():
        seconds = [second for times in starts for second in times[name]]
        figures[name] = milliseconds(median(seconds))
        figures[f"{name}, p99"] = milliseconds(percentile(seconds, 99))
    return figures


def _start(python: str, effort: Effort) -> Times:
    """Start both servers and time them in turns; the first turn warms up."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tienlen-bench-")))
        installation = Installation.find(f"sqlite:///{folder / 'ledger.db'}")
        night, token = prepare(installation, _ENTRIES)
        ours, theirs = (
            stack.enter_context(closing(stack.enter_context(server).connect()))
            for server in (
                ledger_server(installation.database_url, folder / "ledger.log"),
                _server(python, folder),
            )
        )
        keeper, member = Keeper(ours), Member(theirs, "night")
        keeper.take_over(night, token)
        for number in range(_ENTRIES):
            member.add(number)
        times: Times = {_OURS: [], _THEIRS: []}
        for turn in range(effort.added + 1):
            keeper.record_next(settled=True)
            member.add(_ENTRIES + turn)
            if turn:
                times[_OURS].append(expect(200, keeper.page("/ledger")).seconds)
                times[_THEIRS].append(member.page().seconds)
        return times


def _server(python: str, folder: Path) -> AbstractContextManager[Server]:
    """A server of ihatemoney, with a database, a secret key, and mail disabled."""
    settings = folder / "ihatemoney.cfg"
    settings.write_text(
        f'SQLALCHEMY_DATABASE_URI = "sqlite:///{folder / "ihatemoney.db"}"\n'
        'SECRET_KEY = "of this measurement"\n'
        "MAIL_SUPPRESS_SEND = True\n"
    )
    return waitress_server(
        python,
        "ihatemoney.wsgi:application",
        folder / "ihatemoney.log",
        {"IHATEMONEY_SETTINGS_FILE_PATH": str(settings)},
        "/healthcheck",
    )


class Member:
    """One of four members of a project: a client with a cookie, which sends forms with their CSRF tokens."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._project = connection, project
        self._cookie: dict[str, str] = {}
        self._token = _values("csrf_token", self._get("/create"))[0]
        secret = {"password": "known to the four", "contact_email": "an@example.com"}
        self._keep_cookie(self._fill("/create", name=project, id=project, default_currency="XXX", **secret))
        for name in records.NAMES:
            self._keep_cookie(self._fill(f"/{project}/members/add", name=name))
        self._members = _values("payed_for", self.page())

    def page(self) -> Answer:
        return self._get(f"/{self._project}/")

    def add(self, number: int) -> float:
        """Seconds until a bill was stored, in which one member paid for all. The cookie stays the same, since a new
        one would accumulate flash messages."""
        return self._fill(
            f"/{self._project}/add",
            date="2026-01-31",
            what=f"ván {number}",
            payer=self._members[number % len(self._members)],
            payed_for=self._members,
            amount=str(number + 1),
            original_currency="XXX",
            bill_type="Expense",
        ).seconds

    def _get(self, path: str) -> Answer:
        answer = expect(200, self._connection.get(path, self._cookie))
        self._keep_cookie(answer)
        return answer

    def _fill(self, path: str, **fields: str | Sequence[str]) -> Answer:
        form = {"csrf_token": self._token, **fields}
        return expect(302, self._connection.post_form(path, form, self._cookie))

    def _keep_cookie(self, answer: Answer) -> None:
        self._cookie = _cookie_of(answer)


def _cookie_of(answer: Answer) -> dict[str, str]:
    """The `Cookie` header of a browser that got this answer."""
    return {"Cookie": answer.header("Set-Cookie").partition(";")[0]}


def _values(field: str, page: Answer) -> list[str]:
    """All values of a form's field."""
    return re.findall(rf'name="{field}"[^>]*value="([^"]+)"', page.body.decode())
