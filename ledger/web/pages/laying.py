"""The table as a form: of the round that runs, and of the next one, should that begin without a network."""

from collections.abc import Sequence
from dataclasses import replace

from ledger.game.errors import Code
from ledger.game.round import Round
from ledger.game.rulesets.model import Direction, Ruleset
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import RoundView
from ledger.web import forms
from ledger.web.pages import showing
from ledger.web.pages.blueprint import Data
from ledger.web.pages.refusals import Notice
from ledger.web.pages.resulting import takes_result
from ledger.web.pages.table_facts import table_facts
from ledger.web.preferences import speaker


def laid(
    board: Board, running: Round, notice: Notice | None = None, fields: forms.Fields | None = None
) -> Data:
    """What records the running round, with everything that was chosen."""
    words, round, fields = speaker(), board.round, fields or {}
    assert round is not None, "the one that runs"
    ruleset = running.ruleset
    seats = showing.seats(words, round, board.names, next(iter(fields.get("seat", ())), None))
    chosen = next((seat for seat in seats if seat.checked), None)
    playable = [round.playable[chosen.player]] if chosen else round.playable.values()
    passed = ""
    if notice and notice.may_stand == "play" and notice.code != Code.NOT_YOUR_TURN and chosen:
        passed = " ".join(round.passes[chosen.player])
    return _with_facts(
        _table(
            board,
            ruleset,
            number=round.number + 1,
            seats=ruleset.deal.seats_after(tuple(round.seats)),
        ),
        {
            "round": round,
            "locks_said": next(iter(fields.get("locks", ())), ""),
            "seats": seats,
            "grids": showing.grids(
                words,
                board.deck,
                seen=round.seen_counts,
                bright={card for cards in playable for card in cards},
                checked=fields.get("cards", ()),
            ),
            "say": showing.saying(words, round, board.names),
            "earlier": showing.earlier(round),
            "together": showing.together(running),
            "takes_result": takes_result(board),
            "refusal": notice,
            "passed": passed,
        },
    )


def unlaid(board: Board, ruleset: Ruleset, round: RoundView | None) -> Data | None:
    """What would record the next round, before anything is played in it; None while another one runs."""
    if round is None:
        return None
    words = speaker()
    return _with_facts(
        _table(
            board,
            ruleset,
            number=round.number,
            seats=round.seats,
            leader=board.next.leader if board.next else None,
        ),
        {
            "round": round,
            # A script makes the others: who sits is not said yet.
            "blank": True,
            "seats": [replace(showing.seats(words, round, board.names, None)[0], playable="", checked=False)],
            "grids": showing.grids(words, board.deck, seen={}, bright=(), checked=()),
            "say": "",
            "earlier": [],
            "together": [],
        },
    )


def _with_facts(table: Data, shown: Data) -> Data:
    """A table with what is shown of it, and with what the page's scripts know of both."""
    whole = {**table, **shown}
    return {**whole, "facts": table_facts(whole)}


def _table(
    board: Board, ruleset: Ruleset, *, number: int, seats: Sequence[str], leader: str | None = None
) -> Data:
    """What every table has, and what the page proposes for the round after it: `leader` is who leads by the rules,
    if that is known."""
    words = speaker()
    return {
        "naming": showing.naming(words),
        "nothing": nothing(),
        "nobody": nobody(),
        "names": board.names,
        "hands": {str(players): ruleset.deal.hand_of(players) for players in ruleset.deal.players},
        "draws": ruleset.deal.draw_pile,
        "counts_turns": ruleset.counts_turns,
        "next": {
            "number": number,
            "seats": seats,
            "turns": ruleset.deal.direction is Direction.ALTERNATING,
            "most": max(ruleset.deal.players),
            "due": leader,
            # Nobody is proposed where somebody has to be named; the lowest card, where it always opens.
            "leader": leader or ("" if ruleset.opening.every_round else None),
        },
    }


def nothing() -> str:
    """What is said where cards are missing."""
    return speaker().gettext("No card is chosen yet: tap the cards first.")


def nobody() -> str:
    """What is said where a player is missing."""
    return speaker().gettext("Nobody is chosen yet: tap whose move it is.")
