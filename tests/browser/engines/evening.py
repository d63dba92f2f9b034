"""An evening, tapped in any engine; each screen is measured on the way."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from ledger.resources import folder
from tests.browser.engines.page import Engine, Page
from tests.browser.keeper import first_round, plays_of
from tests.browser.phones import PHONES, laid_out_wrong, misfits, script, wrong
from tests.browser.screens import NAMES
from tests.servers import Served

PHONE = (390, 844)
SIZES = (PHONES["320x568"], PHONE)

RECORD = ".actions button.main"
OF_COLOURS = ("color-contrast", "link-in-text-block")
THIRD_ROUND = (
    ("p4", "Jd Qs Kd Ad"),
    ("p4", "2s 2c 2d"),
    ("p4", "Jc Jh"),
    ("p4", "Kc Kh"),
    ("p4", "4c"),
    ("p1", "2h"),
    ("p2", "5s 5c 6s 6h 7s 7c 8s 8c"),
    ("p2", "7d 8h 9h Td"),
    ("p2", "8d"),
)
"""Its plays until the first player comes in; the bomb is on a 2."""
WHILE_AWAY = 3
"""The number of its plays that are tapped while the server is away."""
AWAY = 10.0
"""Seconds for which it is."""
Plays = Sequence[tuple[str, list[str]]]

ON_ITS_WAY = 0.3
"""Seconds that a finger is on its way (`table/meant.js`)."""


@cache
def dark_colours() -> dict[str, str]:
    """The colours of the dark theme as its stylesheet states them."""
    style = (folder("web/static") / "shared/page.css").read_text(encoding="utf-8")
    _, dark = style.split("@media screen and (prefers-color-scheme: dark) {")
    return dict(re.findall(r"(--[a-z0-9-]+): (#[0-9a-f]{6});", dark.partition("\n  }\n}\n")[0]))


def faults_of(page: Page, sizes: Sequence[tuple[int, int]] = SIZES, *, colours: bool = True) -> Iterator[str]:
    """What is cut, sideways or too small on these screens, the phone's own as the last; and, with `colours`, which
    are not those of the dark theme, which it prefers."""
    for size in sizes:
        table = page.evaluate("() => Boolean(document.querySelector('form.record'))")
        faults = (
            misfits(page, size) if table else (" ".join(fault) for _, *fault in laid_out_wrong(page, size))
        )
        yield from (f"{fault} at {size[0]}x{size[1]}" for fault in faults)
    if not colours:
        return
    wanted = dark_colours()
    found = page.evaluate(script("colours"), [*wanted])
    drawn = {part: found.pop(part) for part in ("backgroundColor", "color", "hint")}
    yield from (f"{name} is {found[name]} in dark" for name in wanted if found[name] != wanted[name])
    # WebKit tells the field's own colour for that of the hint in it.
    for part, names in (
        ("backgroundColor", ["--paper"]),
        ("color", ["--ink"]),
        ("hint", ["--muted", "--ink"]),
    ):
        if drawn[part] not in (None, *(rgb(wanted[name]) for name in names)):
            yield f"{names[0]} is drawn as {drawn[part]} in dark"


def rgb(colour: str) -> str:
    """A colour as pages tell it: `#14171a` is `rgb(20, 23, 26)`."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return f"rgb({red}, {green}, {blue})"


class Phone:
    """Somebody with a phone: goes to pages, which are measured, and plays cards."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.page = evening.engine.page(PHONE)
        self.page.set_dark(True)
        self.home = ""

    def look(self, name: str) -> None:
        """Measure this screen."""
        self.evening.faults += [f"{name}: {fault}" for fault in faults_of(self.page)]
        if self.evening.thorough:
            self.evening.faults += [f"{name}: {fault}" for fault in wrong(self.page, rules=OF_COLOURS)]
        errors = self.evening.engine.errors()
        self.evening.faults += [f"{name}: {error}" for error in errors if not self.evening.away]

    def open(self, path: str, name: str = "") -> None:
        self.page.goto(f"{self.home}{path}")
        self.look(name or path)

    def leave(self, selector: str, text: str = "", *, to: str) -> None:
        """Tap what leads to this screen."""
        self.page.leave(selector, text)
        self.look(to)

    @property
    def seq(self) -> str:
        """The number of the last entry that the page shows."""
        seq: str = self.page.until("document.querySelector('.proof')?.dataset.seq")
        return seq

    def catch_up(self, other: "Phone") -> None:
        """Wait until this page shows what another one shows, as it does by itself."""
        self.page.until(f"Number(document.querySelector('.proof').dataset.seq) >= {other.seq}")

    def enter(self, selector: str) -> None:
        """Tap what records, and wait until the page shows the entry."""
        seq = self.seq
        self.page.tap(selector)
        self.page.until(f"document.querySelector('.proof').dataset.seq !== '{seq}'")

    def choose(self, seat: str, cards: Sequence[str]) -> None:
        if not self.page.evaluate(f"() => document.querySelector('[name=seat][value={seat}]').checked"):
            self.page.tap(f".seat:has([value={seat}])")
        for card in cards:
            self.page.tap(f'.key:has([value="{card}"])')
            self.page.until(f"document.querySelector('[name=cards][value=\"{card}\"]').checked")

    def play(self, seat: str, cards: Sequence[str]) -> None:
        self.choose(seat, cards)
        self.enter(RECORD)

    def queue(self, seat: str, cards: Sequence[str]) -> None:
        """Record a play without waiting for the server."""
        self.choose(seat, cards)
        self.page.tap(RECORD)
        self.page.until("!document.querySelector('[name=cards]:checked')")

    def play_all(self, plays: Plays) -> None:
        """Record plays; passes are tapped only if the player who passed leads next."""
        for passed, seat, cards in plays_of([*plays]):
            if passed:
                self.enter("button[value=pass-all]")
            self.play(seat, cards)


@dataclass
class Evening:
    """An evening in one engine, and what was found on its screens."""

    engine: Engine
    server: Served
    thorough: bool = False
    """Whether axe compares the colours of each screen, too."""
    away: bool = False
    """Whether the server is away: then what consoles report is about lost requests."""
    faults: list[str] = field(default_factory=list)

    def open_table(self) -> Phone:
        """Open a table from the first page, and begin a round."""
        keeper = Phone(self)
        keeper.home = self.server.address
        keeper.open("/", "open")
        for place, name in enumerate(NAMES):
            keeper.page.fill("[name=players]", name, place)
        keeper.leave("main button.main", to="between")
        keeper.home = keeper.page.evaluate("() => location.href")
        keeper.leave(".bar a[href$='/links']", to="links")
        keeper.page.tap(".invites summary")
        keeper.look("a player's link")
        keeper.leave(".bar a[href$='/n/{}']".format(keeper.home.rpartition("/")[2]), to="between")
        keeper.leave("button[value=round]", to="table")
        return keeper

    def another(self, keeper: Phone, holder: str) -> Phone:
        """Somebody else who takes a link with a phone of their own."""
        link = keeper.page.evaluate(script("link_of"), f"{keeper.home}/links/{holder}")
        phone = Phone(self)
        phone.home = keeper.home
        phone.page.goto(link)
        phone.leave("main button", to="the table of another")
        return phone


# Parts of an evening


def corrects_a_suit(keeper: Phone) -> None:
    """Tap the wrong K, notice it, and swap its suit; then undo and redo that play."""
    keeper.play("p1", ["3s"])
    keeper.play("p2", ["Kd"])
    time.sleep(2 * ON_ITS_WAY)  # sooner, a tap means the play that stood there before
    keeper.leave(".pile .top a", to="mend")
    for card in ("Kd", "Kc"):
        keeper.page.tap(f'.key:has([value="{card}"])')
    keeper.leave("button[value=correct]", to="the table after a correction")
    keeper.page.sees(".pile .top b", "K")
    keeper.enter("button[value=undo]")
    keeper.enter("button[value=redo]")


def lets_a_play_stand(keeper: Phone, seat: str, card: str) -> None:
    """Record a card that is too low, is told so, and says that it stood at the table."""
    keeper.choose(seat, [card])
    keeper.page.tap(RECORD)
    keeper.page.sees(".felt .notice")
    keeper.look("a refusal")
    keeper.enter("[data-stood]")


def enters_a_result(
    keeper: Phone, way: str, order: Sequence[str], bomb: tuple[str, str, str] | None = None
) -> None:
    """Say only how a round came out, and who bombed whom of what; the last place needs no tap."""
    keeper.leave(way, to="result")
    for seat in order:
        keeper.page.tap(f'.came[value="tap {seat}"]')
    if bomb:
        for name, value in zip(("who", "whom", "cards"), bomb, strict=True):
            keeper.page.tap(f'.pick:has([name={name}][value="{value}"])')
    keeper.page.sees("#outcome li")
    keeper.look("result to be recorded")
    keeper.leave("button.main[value=result]", to="after a result")


def settles(keeper: Phone) -> None:
    """Answer what payments need of hands, and settle the round."""
    keeper.look("settle")
    while keeper.page.evaluate("() => Boolean(document.querySelector('button[value=none]'))"):
        keeper.leave("button[value=none]", to="settle")
    keeper.leave("button[value=settle]", to="between two rounds")


def agrees_and_disputes(one: Phone, other: Phone) -> None:
    """On their own pages one player agrees with what is settled, and another disputes a payment."""
    one.open("/mine")
    one.leave("main form button.main", to="own page, agreed")
    other.open("/mine")
    other.leave("a[href$='#dispute']", to="payment")
    other.page.fill("[name=reason]", "I came in before that")
    other.leave("main button[name=seat]", to="dispute")


def decides(keeper: Phone) -> None:
    """The keeper is told of the dispute, and closes it: the payment stays."""
    keeper.open("/ledger")
    keeper.leave(".bar a[href$='/disputes']", to="disputes")
    keeper.leave("main .lines a[href*='/disputes/']", to="dispute to be decided")
    keeper.page.tap("label:has([name=decision][value=kept])")
    keeper.page.fill("[name=reason]", "Everyone saw it")
    keeper.leave("button[value=decide]", to="dispute, decided")


def plays_by_turns(one: Phone, other: Phone) -> None:
    """Two keepers record plays by turns; while the server is away, one of them goes on."""
    plays = [(seat, cards.split()) for seat, cards in THIRD_ROUND]
    for place, (seat, cards) in enumerate(plays[:-WHILE_AWAY]):
        keeper, last = (one, other) if place % 2 else (other, one)
        keeper.catch_up(last)
        keeper.play(seat, cards)
    evening = one.evening
    one.catch_up(other)
    other.catch_up(one)
    evening.away = True
    evening.server.kill()
    began = time.monotonic()
    for seat, cards in plays[-WHILE_AWAY:]:
        one.queue(seat, cards)
    one.look("table without a server")
    time.sleep(max(0.0, AWAY - (time.monotonic() - began)))
    evening.server.start()
    one.page.until("Boolean(document.querySelector('.net[data-state=saved]'))", "everything to be saved")
    other.catch_up(one)
    evening.engine.errors()
    evening.away = False
    recorded = one.page.evaluate(script("plays_of_night"))
    assert recorded[-len(plays) :] == [[seat, *cards] for seat, cards in plays]


def hands_over(keeper: Phone) -> None:
    """Mark every transfer as paid."""
    keeper.open("/settle-up")
    owed = "document.querySelectorAll('button[value=paid]:not(.quiet)').length"
    while left := keeper.page.evaluate(f"() => {owed}"):
        keeper.page.leave("button[value=paid]:not(.quiet)")
        assert keeper.page.until(f"{owed} < {left} ? 'fewer' : ''")
    keeper.look("settled up")


def short(evening: Evening) -> None:
    """A table, a corrected suit, an undo, a play that stood, the rest as a result, and the money."""
    keeper = evening.open_table()
    corrects_a_suit(keeper)
    lets_a_play_stand(keeper, "p3", "4s")
    enters_a_result(keeper, ".say a[href$='/result']", ("p2", "p1", "p3"))
    keeper.open("/ledger")
    hands_over(keeper)


def whole(evening: Evening) -> None:
    """Three rounds with a bomb, two keepers, two players with phones of their own, a server that goes away, and all
    that is looked at afterwards."""
    keeper = evening.open_table()
    plays, _ = first_round("southern-05.tln")
    corrects_a_suit(keeper)
    keeper.play_all(plays[2:-1])
    keeper.choose(*plays[-1])
    keeper.page.leave(RECORD)
    settles(keeper)
    binh, dung = (evening.another(keeper, seat) for seat in ("p2", "p4"))
    agrees_and_disputes(binh, dung)
    decides(keeper)
    keeper.open("", "between two rounds")
    enters_a_result(keeper, "main a[href$='/result']", ("p4", "p2", "p1"), ("p4", "p2", "2d"))
    keeper.leave("button[value=round]", to="table")
    plays_by_turns(keeper, evening.another(keeper, "keeper"))
    lets_a_play_stand(keeper, "p1", "3s")
    enters_a_result(keeper, ".say a[href$='/result']", ("p4",))
    hands_over(keeper)
    for path in (
        "/ledger",
        "/statistics",
        "/rounds",
        "/rounds/1",
        "/rounds/1/why",
        "/rules",
        "/export",
        "/disputes",
    ):
        keeper.open(path)
    keeper.open("/group")
    keeper.page.fill("[name=name]", "Hội thứ sáu")
    keeper.leave("main button.main", to="season")
