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
from benchmarks.nights import prepare, some_rounds
from benchmarks.records import Content
from benchmarks.servers import Answer, Connection, Server, bare_server, expect, ledger_server, waitress_server
from benchmarks.service import Keeper
from ledger.game.scoring import payments
from ledger.recorder import Installation

_ENTRIES = 40
_AFTER_A_ROUND, _AFTER_A_MOVE = (
    "the ledger's page after one more round",
    "the ledger's page after one more move",
)
_AGAIN, _THEIR_PAGE = "the ledger's page for one more phone", "ihatemoney's after one more bill"
_FORM, _MOVE, _BILL, _INSERT = "a move by a form", "a move", "a bill", "a bare insert"
_SERVED = (
    "Over HTTP, in turns, one kept-alive connection each; ihatemoney with its defaults in the same waitress"
)

Ask = Callable[[int], float]
"""Asks once, in a turn: seconds until the answer."""
Times = dict[str, list[float]]
"""Seconds of each answer, by what was asked for."""


def rows(effort: Effort) -> Iterator[Row]:
    """The page with all entries, and what adds one."""
    python = environments.python_of("ihatemoney")
    missing = "" if python else environments.MISSING
    paid = sum(len(payments(round)) for round in some_rounds(_ENTRIES))
    starts = [_start(python, effort) for _ in range(effort.starts)] if python else []
    for name, ours, since in (
        ("ledger-ihatemoney", _AFTER_A_ROUND, "one more round was settled"),
        ("ledger-move-ihatemoney", _AFTER_A_MOVE, "one more move was recorded"),
        ("ledger-again-ihatemoney", _AGAIN, "nothing was recorded: it was written for another phone"),
    ):
        yield Row(
            name=name,
            title=f"{ours}, against {_THEIR_PAGE}, p50",
            values=_ratios(starts, _THEIR_PAGE, ours),
            goal=Goal(10, least=True),
            same_work=f"{_SERVED}. A night of {_ENTRIES} settled rounds, and {effort.added} more by the end: "
            f"balances, running totals, each payment ({paid} of the first {_ENTRIES}), a form. Since it was asked "
            f"for last by the same connection, {since}. A project of the same four and as many bills, each for "
            "all: the page with the list, balances and a form, asked for after one more bill.",
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


def _start(python: str, effort: Effort) -> Times:
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
        keeper, member = Keeper(ours), Member(theirs, "night")
        keeper.take_over(night, token)
        for number in range(_ENTRIES):
            member.add(number)
        pages = _in_turns(effort.added, _pages(keeper, member))
        api, phone, other = Keeper(ours), FormKeeper(ours), Member(theirs, "another-night")
        api.begin()
        phone.begin()
        moves, forms = api.moves(), phone.moves()
        kept = {
            _FORM: lambda _: next(forms),
            _MOVE: lambda _: next(moves),
            _BILL: other.add,
            _INSERT: lambda turn: expect(201, bare.post(WITHOUT_FLASK, {"number": turn})).seconds,
        }
        return pages | _in_turns(effort.reads, kept)


def _in_turns(turns: int, asked: Mapping[str, Ask]) -> Times:
    times: Times = {name: [] for name in asked}
    for turn in range(turns + 1):
        for name, ask in asked.items():
            seconds = ask(turn)
            if turn:
                times[name].append(seconds)
    return times


def _pages(keeper: Keeper, member: "Member") -> Mapping[str, Ask]:
    """Both pages after one more entry, ours after a move, too, and again when nothing has happened."""

    def page(_: int) -> float:
        return expect(200, keeper.page("/ledger")).seconds

    def after_a_round(turn: int) -> float:
        keeper.go_on(settled=True)
        return page(turn)

    def after_a_move(turn: int) -> float:
        keeper.go_on()
        return page(turn)

    def after_a_bill(turn: int) -> float:
        member.add(_ENTRIES + turn)
        return member.page().seconds

    return {
        _AFTER_A_ROUND: after_a_round,
        _AFTER_A_MOVE: after_a_move,
        _AGAIN: page,
        _THEIR_PAGE: after_a_bill,
    }


def _server(python: str, folder: Path) -> AbstractContextManager[Server]:
    """ihatemoney, told where its database is, to sign cookies, and to write to nobody."""
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


class FormKeeper(Keeper):
    """Records as a phone does whose page has no scripts: by the table's form, known by a cookie."""

    def begin(self) -> None:
        super().begin()
        taken = expect(303, self._connection.post_form(f"/t/{self.token}", {}, {}))
        self._known = {**_cookie_of(taken), "X-Forwarded-For": self._headers["X-Forwarded-For"]}

    def send(self, content: Content) -> float:
        if content["kind"] not in ("play", "pass"):
            return super().send(content)
        form = self._chain.event(content)
        pressed = "stood" if form.pop("stood", False) else "kind"
        form[pressed] = form.pop("kind")
        form["others"] = form["seat"]  # whom the page lets pass
        return expect(303, self._connection.post_form(f"/n/{self.night}", form, self._known)).seconds


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
        answer = expect(200, self._connection.get(path, self._cookie))
        self._keep_cookie(answer)
        return answer

    def _fill(self, path: str, **fields: str | Sequence[str]) -> Answer:
        form = {"csrf_token": self._token, **fields}
        return expect(302, self._connection.post_form(path, form, self._cookie))

    def _keep_cookie(self, answer: Answer) -> None:
        self._cookie = _cookie_of(answer)


def _cookie_of(answer: Answer) -> dict[str, str]:
    """The header by which a browser that had this answer is known."""
    return {"Cookie": answer.header("Set-Cookie").partition(";")[0]}


def _values(field: str, page: Answer) -> list[str]:
    """What a form has in this field, every choice of it."""
    return re.findall(rf'name="{field}"[^>]*value="([^"]+)"', page.body.decode())
