"""What is beside the play, as plain data: who deals, who kneels, who owes cards. Told and shown, never enforced."""

from typing import Any, assert_never

from ledger.game.customs import (
    Clears,
    Deals,
    Gives,
    Kneels,
    Note,
    Owes,
    Sits,
    Swaps,
    dealer,
    debts,
    kneeling,
)
from ledger.game.nights import Adjustment, Joined, Night, last_counting
from ledger.game.notation import tag
from ledger.game.rulesets.types import Ruleset
from ledger.game.state import Round

Data = dict[str, Any]


def customs(night: Night) -> Data:
    """What is beside the play before the next round: `due` by the rules, `noted` since the last round."""
    rounds = night.rounds
    last = last_counting(rounds)
    if last is None or not last.over:
        return {"due": [], "noted": []}
    deals = dealer(night.ruleset, last.header.seats, last)
    due: list[Note] = [] if deals is None else [Deals(deals)]
    due += [*kneeling(rounds), *debts(last)]
    noted: list[Note] = []
    for entry in night.entries:
        if isinstance(entry, Round):
            noted = []
        elif not isinstance(entry, Adjustment | Joined):
            noted.append(entry)
    return {"due": list(map(_note, due)), "noted": [_note(note, night.ruleset) for note in noted]}


def _note(note: Note, ruleset: Ruleset | None = None) -> Data:
    """A note by its kind, and who: `player`, and in some `other`."""
    match note:
        case Deals(player):
            return {"kind": "deals", "player": tag(player)}
        case Kneels(player, until):
            return {"kind": "kneels", "player": tag(player), "until": until}
        case Sits(player):
            return {"kind": "sits", "player": tag(player)}
        case Owes(debtor, creditor, count, card):
            both = {"player": tag(debtor), "other": tag(creditor)}
            return {"kind": "owes", **both, "count": count, "card": card}
        case Gives(giver, taker, cards):
            given = list(ruleset.deck.write(cards)) if ruleset else []
            return {"kind": "gives", "player": tag(giver), "other": tag(taker), "cards": given}
        case Swaps(leaver, newcomer):
            return {"kind": "swaps", "player": tag(leaver), "other": tag(newcomer)}
        case Clears(player, clearing):
            return {"kind": "clears", "player": tag(player), "clearing": clearing}
        case _:
            assert_never(note)
