"""What cards are worth, captured or left in a hand: clauses SPECIAL, CHOP, CHOP-OUT, HOARD."""

from collections.abc import Iterable

from ledger.game.cards import Card
from ledger.game.errors import Refused
from ledger.game.fold import begin
from ledger.game.moves import Play
from ledger.game.patterns import SINGLE, SpecialSet
from ledger.game.payments import Payment, Reason
from ledger.game.round import Header
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Chain, Payee
from ledger.game.scoring import payments
from ledger.language.rules.told import Table, Told, bombs_are_paid, head, read, something_is_paid
from ledger.language.speaker import Speaker
from ledger.language.voice import glyph

_COUNTED = ("4s 4c 4d 4h 5s 5c 6s 6c", "3s 3c 4s 4c 5s 5c 6s 6c", "2s 2c 2d 2h")


def special_sets(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What special sets are worth, in hand and captured, with examples."""
    rules = ruleset.payments
    hoarded = rules.special_sets if rules.for_hands else ()
    valued = rules.chain is not Chain.COUNTING and bombs_are_paid(ruleset)
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
    """What each special set is called, and its points."""
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


_PLAYERS = ("An", "Bình", "Chi")
_CHOPPED = (
    ("2c 2h", "4s 4c 4d 4h"),
    ("2d", "2h", "6s 6c 7s 7c 8s 8c"),
    ("2c", "Js Jc Qs Qc Ks Kc", "3s 3c 3d 3h"),
    ("3s 3c 4s 4c 5s 5c", "7s 7c 8s 8c 9s 9c"),
)


def bomb_bonus(ruleset: Ruleset, speaker: Speaker) -> Told:
    """Who pays for bombs on a pile, with piles that the engine has scored."""
    if not bombs_are_paid(ruleset):
        return
    rules = ruleset.payments
    if rules.chain is Chain.WHOLE_PILE:
        yield speaker.say("rules CHOP")
    else:
        yield speaker.say(f"rules CHOP {rules.chain}", points=speaker.points(rules.chop_unit))
    rows = tuple(
        (_shown(pile, speaker), "; ".join(_paid(payment, speaker) for payment in paid))
        for pile in _CHOPPED
        if (paid := _bonuses(pile, ruleset))
    )
    if rows:
        yield Table(head(speaker, "pile", "payment"), rows)
    if rules.chain in (Chain.WHOLE_PILE, Chain.CUT):
        yield speaker.say("rules CHOP earlier")


def _bonuses(pile: tuple[str, ...], ruleset: Ruleset) -> list[Payment]:
    """What the engine pays for a pile; nothing for one that it would not take."""
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


def bomb_on_the_out(ruleset: Ruleset, speaker: Speaker) -> Told:
    """Whether a player who is out pays for a bomb on the last play."""
    if bombs_are_paid(ruleset):
        free = ruleset.payments.chop_free_if_out
        yield speaker.say("rules CHOP-OUT" if free else "rules CHOP-OUT paid")


def hoarding(ruleset: Ruleset, speaker: Speaker) -> Told:
    """What special sets left in hand cost, and who is paid."""
    rules, ending = ruleset.payments, ruleset.ending
    if not rules.for_hoarding:
        return
    yield speaker.say("rules HOARD")
    to_winner = ending.at_first_out or rules.hoard_payee is Payee.WINNER
    yield speaker.say("rules HOARD winner" if to_winner else "rules HOARD last out")
    if ending.knock_out and not to_winner:
        yield speaker.say("rules HOARD knocked")
