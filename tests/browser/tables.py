"""Tables of all presets, each with house rules and a short round, and how one is played on a phone."""

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from ledger.game.deals import Dealt
from ledger.game.fold import apply
from ledger.game.moves import Declare, Show
from ledger.game.scoring import payments
from tests.browser.keeper import Keeper
from tests.browser.phones import phone
from tests.browser.tapping import Table, Tap, taps
from tests.browser.telling import Teller
from tests.game.generator import declaration

_LONG = 20
"""From so many entries on, a round is not tapped from end to end."""
_TAPPED = 6
"""Entries tapped at the beginning and the end of a long round."""

NAMES = ["An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hạnh"]


def _tables() -> Iterator[Table]:
    for line in (Path(__file__).parent / "tables.txt").read_text(encoding="utf-8").splitlines()[1:]:
        preset, players, seed, *rules = line.split()
        yield Table(preset, int(players), tuple(rules), int(seed))


TABLES = tuple(_tables())


def play_through(browser: Browser, server: str, table: Table) -> None:
    """Choose the rules on the first page, tap the round, settle it, and check its payments."""
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        positions = table.round()
        _open(keeper, table)
        keeper.begin_round()
        before, usual, after = _parts(list(taps(positions)))
        for tap in before:
            _record(keeper, tap)
        if usual:
            with keeper.telling():
                for tap in usual:
                    keeper.record("play", seat=tap.seat, cards=list(tap.cards))
        for tap in after:
            _record(keeper, tap)
        last = _settle(keeper, positions[-1])
        owed = Counter[tuple[int, int]]()
        for payment in payments(last.round):
            owed[payment.payer, payment.payee] += payment.points
        wanted = [
            part
            for (payer, payee), points in owed.items()
            for part in (f"{NAMES[payer]} →\u00a0{NAMES[payee]}", str(points))
        ]
        assert keeper.page.locator(".paid :is(b, .points)").all_inner_texts() == wanted
        assert not keeper.trouble


def _parts(every: list[Tap]) -> tuple[list[Tap], list[Tap], list[Tap]]:
    """Split entries into tapped, told, tapped: ordinary plays in the middle of a long round are not tapped."""
    if len(every) < _LONG:
        return every, [], []
    begin, end = _TAPPED, len(every) - _TAPPED
    usual = list(takewhile(_is_usual, every[begin:end]))
    return every[:begin], usual, every[begin + len(usual) :]


def _is_usual(tap: Tap) -> bool:
    return tap.button == "play" and not tap.locks


def _open(keeper: Keeper, table: Table) -> None:
    """Open the table from the first page, choosing the rules by tapping."""
    page = keeper.page
    page.goto(keeper.server)
    if table.players > 4:
        keeper.tap(page.locator("#open summary").first)
    for place, name in enumerate(NAMES[: table.players]):
        page.locator("[name=players]").nth(place).fill(name)
    keeper.tap(page.locator("#rules > summary"))
    preset = page.locator(f'.presets .choice:has([value="{table.preset}"])')
    if not preset.is_visible():
        keeper.tap(page.locator(".presets summary"))
    keeper.tap(preset)
    keeper.tap(page.locator("#rules details:has(.switch [name=rule][type=checkbox]) > summary"))
    for rule in table.rules:
        switch = page.locator(f'.switch:has([value="{rule}"])')
        if switch.locator("select").count():
            switch.locator("select").select_option(rule)
        else:
            keeper.tap(switch)
    keeper.leave(page.locator("button.main"))


def _record(keeper: Keeper, tap: Tap) -> None:
    page = keeper.page
    if tap.button == "pass-all":
        keeper.all_others_pass()
        return
    if tap.locks:
        keeper.tap(page.locator(".lock"))
    for back in ("", "'"):
        cards = [card for card in tap.cards if card.endswith("'") is bool(back)]
        if page.locator(".backs").count() and cards:
            keeper.tap(page.locator(f".back-{len(back)}"))
        keeper.choose(tap.seat, cards)
    keeper.enter(page.locator(f'button[value="{tap.button}"]'))


def _settle(keeper: Keeper, dealt: Dealt) -> Dealt:
    """Declare every hand that the page asks for, and settle; returns the round with the declarations."""
    page: Page = keeper.page
    page.wait_for_url("**/settle")
    while page.locator("button[value=none]").count():
        tag = page.locator("[name=seat]:checked").input_value()
        player = int(tag[1:]) - 1
        held = dealt.left(player)
        if declaration(dealt.round.ruleset, held):
            cards = dealt.round.ruleset.deck.write(held)
            _record(keeper, Tap("show", tag, cards))
            dealt = Dealt(apply(dealt.round, Show(player, held)), dealt.hands, dealt.pile)
        else:
            keeper.leave(page.locator("button[value=none]"))
            dealt = Dealt(apply(dealt.round, Declare(player, ())), dealt.hands, dealt.pile)
    keeper.leave(page.locator("button[value=settle]"))
    expect(page.locator("button[value=round]")).to_be_visible()
    return dealt
