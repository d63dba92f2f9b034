"""The ledger beside ihatemoney, which keeps who paid for whom: with Flask, SQLAlchemy and SQLite, too."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import environments, records
from benchmarks.bare import WITHOUT_FLASK
from benchmarks.measuring import Effort, Figure, Goal, Row, milliseconds, percentile
from benchmarks.nights import anew, prepare, some_rounds
from benchmarks.records import Content
from benchmarks.servers import Answer, Connection, Server, bare_server, gunicorn_server, ledger_server
from benchmarks.service import Keeper
from ledger.game.scoring import payments
from ledger.recorder import Installation

_ENTRIES = 40
_OUR_PAGE, _AGAIN, _THEIR_PAGE = "our page", "our page again", "their page"
_FORM, _MOVE, _BILL, _INSERT = "a move by a form", "a move", "a bill", "a bare insert"
_SERVED = (
    "Over HTTP, in turns, one kept-alive connection each; ihatemoney with its defaults in the same gunicorn"
)

Times = dict[str, list[float]]
"""Seconds of each answer, by what was asked for."""


def rows(effort: Effort) -> Iterator[Row]:
    """The page with all entries, and what adds one."""
    python = environments.python_of("ihatemoney")
    missing = "" if python else environments.MISSING
    paid = sum(len(payments(round)) for round in some_rounds(_ENTRIES))
    starts = [_start(python, effort.reads) for _ in range(effort.starts)] if python else []
    for name, ours, written in (
        ("ledger-ihatemoney", _OUR_PAGE, "written anew"),
        ("ledger-again-ihatemoney", _AGAIN, "written before for another phone, nothing recorded since"),
    ):
        yield Row(
            name=name,
            title=f"the ledger's page, {written}, against ihatemoney's, p50",
            values=_ratios(starts, _THEIR_PAGE, ours),
            goal=Goal(10, least=True),
            same_work=f"{_SERVED}. A night of {_ENTRIES} settled rounds: balances, running totals, each of the "
            f"{paid} payments, a form. A project of the same four and {_ENTRIES} bills, each for all: the page "
            "with the list, written each time, since it has balances, every bill and a form.",
            measured=_figures(starts, ours, _THEIR_PAGE),
            missing=missing,
        )
    for name, how, ours, told in (
        ("form-ihatemoney", "by a form", _FORM, "by the page's form, answered with a redirect"),
        ("post-ihatemoney", "by the interface", _MOVE, "by the interface, answered with the whole board"),
    ):
        yield Row(
            name=name,
            title=f"a durable POST {how}, against ihatemoney's, p50",
            values=_ratios(starts, _BILL, ours),
            goal=Goal(4, least=True),
            same_work=f"{_SERVED}. A move: judged, chained, {told}. A bill by its form: checked, kept with its "
            "version, answered with a redirect. No redirect is followed. Each in one transaction, synced by SQLite "
            "before the answer, its journal, too; beside them a raw insert that is synced alike.",
            measured=_figures(starts, ours, _BILL, _INSERT),
            missing=missing,
        )


def _ratios(starts: Sequence[Times], above: str, below: str) -> list[float]:
    return [median(times[above]) / median(times[below]) for times in starts]


def _figures(starts: Sequence[Times], *names: str) -> Mapping[str, Figure]:
    figures = {}
    for name in names if starts else ():
        seconds = [second for times in starts for second in times[name]]
        figures[name] = milliseconds(median(seconds))
        figures[f"{name}, p99"] = milliseconds(percentile(seconds, 99))
    return figures


def _start(python: str, turns: int) -> Times:
    """Both servers anew, asked in turns; the first turn warms up."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tienlen-bench-")))
        installation = Installation.find(f"sqlite:///{folder / 'ledger.db'}")
        night, token = prepare(installation, _ENTRIES)
        ours, theirs, bare = (
            stack.enter_context(closing(stack.enter_context(server).connect()))
            for server in (
                ledger_server(installation.database_url, folder / "ledger.log"),
                _server(python, folder),
                bare_server(str(folder / "bare.db"), folder / "bare.log"),
            )
        )
        keeper, phone = Keeper(ours), FormKeeper(ours)
        member, other = Member(theirs, "night"), Member(theirs, "another-night")
        keeper.begin()
        phone.begin()
        for number in range(_ENTRIES):
            member.add(number)
        moves, forms, bearer = keeper.moves(), phone.moves(), {"Authorization": f"Bearer {token}"}
        page = f"/n/{night}/ledger"
        asked: dict[str, Callable[[int], float]] = {
            _OUR_PAGE: lambda _: _expect(200, ours.get(anew(page), bearer)).seconds,
            _AGAIN: lambda _: _expect(200, ours.get(page, bearer)).seconds,
            _THEIR_PAGE: lambda _: member.page().seconds,
            _FORM: lambda _: next(forms),
            _MOVE: lambda _: next(moves),
            _BILL: other.add,
            _INSERT: lambda turn: _expect(201, bare.post(WITHOUT_FLASK, {"number": turn})).seconds,
        }
        times: Times = {name: [] for name in asked}
        for turn in range(turns + 1):
            for name, ask in asked.items():
                seconds = ask(turn)
                if turn:
                    times[name].append(seconds)
        return times


def _server(python: str, folder: Path) -> AbstractContextManager[Server]:
    """ihatemoney, told where its database is, to sign cookies, and to write to nobody."""
    settings = folder / "ihatemoney.cfg"
    settings.write_text(
        f'SQLALCHEMY_DATABASE_URI = "sqlite:///{folder / "ihatemoney.db"}"\n'
        'SECRET_KEY = "of this measurement"\n'
        "MAIL_SUPPRESS_SEND = True\n"
    )
    return gunicorn_server(
        python,
        "ihatemoney.wsgi:application",
        folder / "ihatemoney.log",
        {"IHATEMONEY_SETTINGS_FILE_PATH": str(settings)},
        "/healthcheck",
    )


class FormKeeper(Keeper):
    """Records as a phone does whose page has no scripts: by the table's form, known by a cookie."""

    def begin(self) -> None:
        super().begin()
        taken = _expect(303, self._connection.post_form(f"/t/{self.token}", {}, {}))
        self._cookie = {"Cookie": taken.header("Set-Cookie").partition(";")[0]}

    def send(self, content: Content) -> float:
        if content["kind"] not in ("play", "pass"):
            return super().send(content)
        form = self._chain.event(content)
        pressed = "stood" if form.pop("stood", False) else "kind"
        form[pressed] = form.pop("kind")
        form["others"] = form["seat"]  # whom the page lets pass
        return _expect(303, self._connection.post_form(f"/n/{self.night}", form, self._cookie)).seconds


class Member:
    """One of four who share a project, as their browser is: known by a cookie, every form with its token."""

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
        """Seconds until a bill was kept: one of them paid for all. The cookie stays, or it would pile up what the
        page has to say after each."""
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
        answer = _expect(200, self._connection.get(path, self._cookie))
        self._keep_cookie(answer)
        return answer

    def _fill(self, path: str, **fields: str | Sequence[str]) -> Answer:
        form = {"csrf_token": self._token, **fields}
        return _expect(302, self._connection.post_form(path, form, self._cookie))

    def _keep_cookie(self, answer: Answer) -> None:
        self._cookie = {"Cookie": answer.header("Set-Cookie").partition(";")[0]}


def _expect(status: int, answer: Answer) -> Answer:
    if answer.status != status:
        raise RuntimeError(f"{answer.status}, not {status}:\n{answer.body.decode()}")
    return answer


def _values(field: str, page: Answer) -> list[str]:
    """What a form has in this field, every choice of it."""
    return re.findall(rf'name="{field}"[^>]*value="([^"]+)"', page.body.decode())
