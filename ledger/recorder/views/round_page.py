"""One round's own page: the round as it stands, and all that was recorded of it."""

from dataclasses import dataclass

from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState
from ledger.recorder.views import attributes
from ledger.recorder.views.night import (
    ChainHead,
    NamedPlayer,
    RulesetInUse,
    view_head,
    view_players,
    view_ruleset,
)
from ledger.recorder.views.round import RoundHistory, RoundView, Say, view_history, view_round
from ledger.store import Reader


@dataclass(frozen=True, kw_only=True)
class RoundPage(ChainHead, RoundHistory, RoundView):
    """One round move by move, at a head of its night."""

    players: list[NamedPlayer]
    ruleset: RulesetInUse
    rounds: int
    """The number of the last round of the night."""


def view_round_page(reader: Reader, state: NightState, log: RoundLog, say: Say) -> RoundPage:
    """One round with all of its moves, the position after each, and what was taken back and corrected."""
    names = reader.names(state.terms.night)
    round, history = view_round(log, names, say), view_history(log)
    return RoundPage(
        **attributes(round) | attributes(history),
        **attributes(view_head(state.head)),
        players=view_players(names),
        ruleset=view_ruleset(state.terms),
        rounds=state.current.number if state.current else 0,
    )
