"""What players pay by how they finished: clauses PLACE, FULL, CARDS, GET-IN, LAST-CARD, CONTRACT."""

from collections.abc import Iterator

from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.model import PlacePayment
from ledger.language.rules.told import Table, Told, hand_sizes, head, lowest_card, something_is_paid
from ledger.language.speaker import Speaker


def placement(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What places pay each other, as a table, or for each card left."""
    payments, ending = ruleset.payments, ruleset.ending
    if not something_is_paid(ruleset):
        yield speaker.say("rules PLACE nothing")
        return
    if ending.at_first_out:
        if payments.left:
            yield speaker.say("rules PLACE left", points=speaker.points(payments.left))
        return
    rows = tuple(_rows(ruleset, speaker))
    if rows:
        yield speaker.say("rules PLACE table")
        yield Table(head(speaker, "players", "payer", "payee", "points"), rows)
        if ending.knock_out:
            yield speaker.say("rules PLACE missing")
    if ending.knock_out and payments.left and not payments.full_hand:
        yield speaker.say("rules PLACE knocked", points=speaker.points(payments.left))


def _rows(ruleset: Ruleset, speaker: Speaker) -> Iterator[tuple[str, str, str, str]]:
    """One row for all whom one player pays the same."""
    rows: dict[tuple[int, int, int], list[PlacePayment]] = {}
    for row in ruleset.payments.places:
        if row.players in ruleset.deal.players:
            rows.setdefault((row.players, row.payer, row.points), []).append(row)
    for (players, payer, points), paid in rows.items():
        if len(paid) == players - 1 > 1:
            payees = speaker.say("rules PLACE everyone")
        else:
            payees = speaker.all_of(speaker.place(row.payee, players) for row in paid)
        who = speaker.place(payer, players)
        yield str(players), speaker.capital(who), speaker.capital(payees), str(points)


def full_hand(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What a player left with a whole hand pays."""
    payments = ruleset.payments
    if not payments.full_hand:
        return
    points = speaker.points(payments.full_hand)
    if payments.full_from:
        yield speaker.say("rules FULL from", least=payments.full_from, points=points)
    else:
        yield speaker.say("rules FULL", hand=hand_sizes(ruleset, speaker), points=points)
    if ruleset.ending.knock_out:
        yield speaker.say("rules FULL knocked")


def card_count(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What each card left in hand pays."""
    payments = ruleset.payments
    if not payments.card:
        return
    yield speaker.say("rules CARDS", points=speaker.points(payments.card))
    if payments.special_sets:
        yield speaker.say("rules CARDS special")
    if payments.unplayed:
        yield speaker.say("rules CARDS unplayed", points=speaker.points(payments.unplayed))
        if payments.special_sets:
            replaces = payments.unplayed_replaces
            yield speaker.say("rules CARDS unplayed replaced" if replaces else "rules CARDS unplayed besides")


def got_to_get_in(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What a player who has played nothing pays when another goes out."""
    points = ruleset.payments.got_to_get_in
    if points:
        yield speaker.say("rules GET-IN", points=speaker.points(points))


def last_card(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What playing the lowest card last earns, and being left with it costs."""
    payments, card = ruleset.payments, lowest_card(speaker)
    if payments.lowest_last:
        points = speaker.points(payments.lowest_last)
        yield speaker.say("rules LAST-CARD out", card=card, points=points)
    if payments.lowest_left:
        points = speaker.points(payments.lowest_left)
        yield speaker.say("rules LAST-CARD left", card=card, points=points)


def contracts(ruleset: Ruleset, speaker: Speaker) -> Told:
    """The contracts that may be taken before the play, and what they earn or cost."""
    if not ruleset.contracts:
        return
    yield speaker.say("rules CONTRACT")
    rows = tuple(
        (speaker.capital(speaker.contract(contract.name)), str(contract.gain), str(contract.loss))
        for contract in ruleset.contracts
    )
    yield Table(head(speaker, "contract", "gain", "loss"), rows)
    yield speaker.say("rules CONTRACT when")
