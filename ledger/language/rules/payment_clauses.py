"""Clauses about payments: for places, bombs and special sets, hands that win at once, and contracts."""

from collections.abc import Iterable, Iterator

from ledger.game.cards import Card, Rank
from ledger.game.errors import Refused
from ledger.game.fold import begin
from ledger.game.moves import Play
from ledger.game.patterns import SINGLE, SpecialSet
from ledger.game.payments import Payment, Reason
from ledger.game.round import Header
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import InstantWin, Several
from ledger.game.rulesets.paying import Chain, Payee, PlacePayment
from ledger.game.rulesets.serialization import write_field
from ledger.game.scoring import payments
from ledger.language.rules.telling import (
    Content,
    Table,
    bombs_are_paid,
    hand_sizes,
    head,
    read,
    something_is_paid,
    times,
)
from ledger.language.speaker import Speaker
from ledger.language.voice import glyph, label


def placement(ruleset: Ruleset, speaker: Speaker) -> Content:
    """What places pay each other, as a table, and what players without a place pay."""
    payments, ending = ruleset.payments, ruleset.ending
    yield from _sheet(ruleset, speaker)
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


def _sheet(ruleset: Ruleset, speaker: Speaker) -> Iterator[str]:
    """What places score on the separate sheet."""
    payments = ruleset.payments
    own = [row for row in payments.sheets if len(row.points) in ruleset.deal.players]
    if own:
        scores = (
            speaker.say("rules PLACE sheet of", players=len(row.points), points=write_field(row))
            for row in own
        )
        yield speaker.say("rules PLACE sheets", scores="; ".join(scores))
    elif payments.sheet.points and not payments.sheets:
        yield speaker.say("rules PLACE sheet", points="/".join(map(str, payments.sheet.points)))


def _rows(ruleset: Ruleset, speaker: Speaker) -> Iterator[tuple[str, str, str, str]]:
    """One row for each payer and amount, with all who are paid that."""
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


def full_hand(ruleset: Ruleset, speaker: Speaker) -> Content:
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


def card_count(ruleset: Ruleset, speaker: Speaker) -> Content:
    """What each card left in hand pays."""
    payments = ruleset.payments
    if not payments.card:
        return
    yield speaker.say("rules CARDS", points=speaker.points(payments.card))
    if payments.special_sets:
        sets_beside = payments.sets_beside_cards
        yield speaker.say("rules CARDS special besides" if sets_beside else "rules CARDS special")
    if payments.doubled_by_twos:
        yield speaker.say("rules CARDS doubled")
        yield from times(ruleset, speaker)
    if payments.unplayed:
        yield speaker.say("rules CARDS unplayed", points=speaker.points(payments.unplayed))
        if payments.special_sets:
            replaces = payments.unplayed_replaces and not payments.sets_beside_cards
            yield speaker.say("rules CARDS unplayed replaced" if replaces else "rules CARDS unplayed besides")


def contracts(ruleset: Ruleset, speaker: Speaker) -> Content:
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


_COUNTED = ("4s 4c 4d 4h 5s 5c 6s 6c", "3s 3c 4s 4c 5s 5c 6s 6c", "2s 2c 2d 2h")


def special_sets(ruleset: Ruleset, speaker: Speaker) -> Content:
    """What special sets are worth, in hand and captured, with examples."""
    rules = ruleset.payments
    hoarded = rules.special_sets if rules.for_hands else ()
    valued = bombs_are_paid(ruleset) and not rules.chain.counts
    captured = (rules.captured or rules.special_sets) if valued else ()
    if not hoarded and not captured:
        if something_is_paid(ruleset) and not (rules.card or bombs_are_paid(ruleset)):
            yield speaker.say("rules SPECIAL nothing")
        return
    if hoarded and captured and hoarded != captured:
        yield speaker.say("rules SPECIAL both")
        in_hand, in_pile = (_worth(listed, speaker) for listed in (hoarded, captured))
        names = dict.fromkeys((*in_hand, *in_pile))
        rows = tuple((name, in_hand.get(name, "0"), in_pile.get(name, "0")) for name in names)
        yield Table(head(speaker, "cards", "hoarded", "captured"), rows)
    else:
        key = "" if hoarded and captured else " hoarded" if hoarded else " captured"
        yield speaker.say(f"rules SPECIAL{key}")
        yield Table(head(speaker, "cards", "points"), tuple(_worth(hoarded or captured, speaker).items()))
    yield speaker.say("rules SPECIAL best")
    if captured and rules.captured_whole:
        yield speaker.say("rules SPECIAL whole")
    values = compiled(ruleset).hand_values if hoarded else compiled(ruleset).capture_values
    for cards in _COUNTED:
        worth = values.total(read(ruleset, cards))
        if worth:
            shown = speaker.cards(cards.split())
            yield speaker.say("rules SPECIAL example", cards=shown, points=speaker.points(worth))


def _worth(listed: Iterable[SpecialSet], speaker: Speaker) -> dict[str, str]:
    """The name of each special set, and its points."""
    return {speaker.capital(_special_set(special, speaker)): str(special.points) for special in listed}


def _special_set(special: SpecialSet, speaker: Speaker) -> str:
    target = special.target
    if special.shape == SINGLE and special.suits and target.rank is not None:
        cards = speaker.cards(str(Card(target.rank, suit)) for suit in special.suits)
        return speaker.say("rules SPECIAL each", cards=cards)
    name = speaker.shape(special.shape, target.rank)
    if not special.suits:
        return name
    return speaker.say("rules SPECIAL suits", set=name, suits=" ".join(map(glyph, special.suits)))


_PLAYERS = ("A", "B", "C")
"""The names of players in examples."""
_CHOPPED = (
    ("2c 2h", "4s 4c 4d 4h"),
    ("2d", "2h", "6s 6c 7s 7c 8s 8c"),
    ("2c", "Js Jc Qs Qc Ks Kc", "3s 3c 3d 3h"),
    ("3s 3c 4s 4c 5s 5c", "7s 7c 8s 8c 9s 9c"),
)


def bomb_bonus(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Who pays for bombs on a pile, with piles that the engine has scored."""
    if not bombs_are_paid(ruleset):
        return
    rules = ruleset.payments
    if rules.chain is Chain.WHOLE_PILE:
        yield speaker.say("rules CHOP")
    else:
        yield speaker.say(f"rules CHOP {rules.chain}", points=speaker.points(rules.chop_unit))
    if rules.chain.doubles:
        yield from times(ruleset, speaker)
    rows = tuple(
        (_shown(pile, speaker), "; ".join(_paid(payment, speaker) for payment in paid))
        for pile in _CHOPPED
        if (paid := _bonuses(pile, ruleset))
    )
    if rows:
        yield Table(head(speaker, "pile", "payment"), rows)
    if rules.chain.pays_last_alone:
        yield speaker.say("rules CHOP earlier")


def _bonuses(pile: tuple[str, ...], ruleset: Ruleset) -> list[Payment]:
    """The engine's bomb bonuses for a pile; empty if the rules refuse the pile."""
    plays = [Play(player, read(ruleset, cards)) for player, cards in enumerate(pile)]
    try:
        round = begin(ruleset, Header((0, 1, 2), leader=0), plays)
    except Refused:
        return []
    return [payment for payment in payments(round) if payment.reason is Reason.BOMB_BONUS]


def _shown(pile: tuple[str, ...], speaker: Speaker) -> str:
    plays = zip(_PLAYERS, pile, strict=False)
    return " → ".join(f"{name} {speaker.cards(cards.split())}" for name, cards in plays)


def _paid(payment: Payment, speaker: Speaker) -> str:
    payer, payee = _PLAYERS[payment.payer], _PLAYERS[payment.payee]
    return speaker.say("rules CHOP pays", payer=payer, payee=payee, points=speaker.points(payment.points))


def bomb_on_the_out(ruleset: Ruleset, speaker: Speaker) -> Content:
    """Whether a player who is out pays for a bomb on the last play."""
    if bombs_are_paid(ruleset):
        free = ruleset.payments.chop_free_if_out
        yield speaker.say("rules CHOP-OUT" if free else "rules CHOP-OUT paid")


def hoarding(ruleset: Ruleset, speaker: Speaker) -> Content:
    """What special sets left in hand cost, and who is paid."""
    rules, ending = ruleset.payments, ruleset.ending
    if not rules.for_hoarding:
        return
    yield speaker.say("rules HOARD")
    payee = Payee.WINNER if ending.at_first_out else rules.hoard_payee
    yield speaker.say(f"rules HOARD {payee}")
    if ending.knock_out and payee is not Payee.WINNER:
        yield speaker.say("rules HOARD knocked")


def instant_wins(ruleset: Ruleset, speaker: Speaker) -> Content:
    """The hands that win at once, and what they are paid."""
    wins = ruleset.instant_wins
    if not wins.hands:
        return
    yield speaker.say("rules INSTANT")
    points = [wins.points if win.points is None else win.points for win in wins.hands]
    rows = [
        (speaker.capital(speaker.instant_win(win.name)), speaker.capital(_hand(win, ruleset, speaker)))
        for win in wins.hands
    ]
    hand = hand_sizes(ruleset, speaker)
    if len(set(points)) > 1:
        valued = tuple((*row, str(worth)) for row, worth in zip(rows, points, strict=True))
        yield Table(head(speaker, "hand", "cards", "points"), valued)
        yield speaker.say("rules INSTANT pays each", hand=hand)
    else:
        yield Table(head(speaker, "hand", "cards"), tuple(rows))
        key = "rules INSTANT pays" if points[0] else "rules INSTANT pays nothing"
        yield speaker.say(key, hand=hand, points=speaker.points(points[0]))
    combinations = ruleset.combinations
    if combinations.one_colour and any(map(_of_pairs, wins.hands)):
        yield speaker.say("rules INSTANT pairs of one colour")
    if combinations.one_suit and any(map(_of_any_suits, wins.hands)):
        yield speaker.say("rules INSTANT sequence of any suits")
    if wins.several is not Several.EVERY:
        yield speaker.say(f"rules INSTANT several {wins.several}")
    elif any(points):
        yield speaker.say("rules INSTANT several")
    yield speaker.say("rules INSTANT claims")


def _of_pairs(win: InstantWin) -> bool:
    """Whether a hand is made of pairs, and its own row does not give their colours."""
    block = win.block.shape if win.block is not None else None
    made = win.pairs or win.bomb_with or (block is not None and block.width == 2)
    return bool(made) and not win.one_colour_pairs


def _of_any_suits(win: InstantWin) -> bool:
    """Whether a hand is a sequence of single cards, whatever their suits."""
    block = win.block.shape if win.block is not None else None
    return block is not None and block.width == 1 and not win.in_one_suit


def _hand(win: InstantWin, ruleset: Ruleset, speaker: Speaker) -> str:
    """The conditions for a hand that wins at once."""
    hand = speaker.all_of(_demands(win, speaker))
    if win.one_colour_pairs and win.block is not None:
        hand = speaker.say("rules INSTANT one colour", hand=hand)
    elif win.one_colour_pairs:
        free = ruleset.combinations.follow_suits
        key = "rules INSTANT one colour each but twos" if free else "rules INSTANT one colour each"
        hand = speaker.say(key, hand=hand)
    if win.in_one_suit:
        hand = speaker.say("rules INSTANT one suit", hand=hand)
    return speaker.say("rules INSTANT opening", hand=hand) if win.opening_only else hand


def _demands(win: InstantWin, speaker: Speaker) -> list[str]:
    demands = [
        speaker.say(f"rules INSTANT {what}", number=speaker.number(number))
        for what, number in (
            ("pairs", win.pairs),
            ("triples", win.triples),
            ("fours", win.fours),
            ("bombs", win.bombs),
            ("colour", win.one_colour),
        )
        if number
    ]
    if win.block is not None and win.block.shape is not None:
        shape, rank = win.block.shape, win.block.rank
        top = Rank.ACE if rank is None else rank
        if shape.width == 1 and shape.length == top + 1:
            demands.append(speaker.say("rules INSTANT whole run", low=label(min(Rank)), high=label(top)))
        else:
            demands.append(speaker.shape(shape, rank))
    if win.bomb_with is not None:
        demands.append(speaker.say("rules INSTANT bomb", card=speaker.card(str(win.bomb_with))))
    return demands
