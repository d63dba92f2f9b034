"""What is paid: clauses PLACE, FULL, SPECIAL, CHOP, CHOP-OUT, HOARD, INSTANT."""

from ledger.game.cards import Card, Rank
from ledger.game.combinations import Shape
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.types import InstantWin
from ledger.game.special_sets import SpecialSet
from ledger.language.rules.told import Table, Told, beats, head, playable_bombs, read
from ledger.language.speaker import Speaker
from ledger.language.voice import label


def placement(ruleset: Ruleset, speaker: Speaker) -> Told:
    payments = ruleset.payments
    if ruleset.ending.at_first_out:
        if payments.left:
            yield speaker.say("rules PLACE left", points=speaker.points(payments.left))
        return
    rows = tuple(
        (
            str(row.players),
            speaker.capital(speaker.place(row.payer, row.players)),
            speaker.capital(speaker.place(row.payee, row.players)),
            str(row.points),
        )
        for row in payments.places
        if row.players in ruleset.deal.players
    )
    if rows:
        yield speaker.say("rules PLACE table")
        yield Table(head(speaker, "players", "payer", "payee", "points"), rows)
        if ruleset.ending.knock_out:
            yield speaker.say("rules PLACE missing")


def full_hand(ruleset: Ruleset, speaker: Speaker) -> Told:
    points, hand = ruleset.payments.full_hand, ruleset.deal.hand
    if points:
        yield speaker.say("rules FULL", hand=hand, points=speaker.points(points))
    else:
        yield speaker.say("rules FULL nothing", hand=hand)
    if ruleset.ending.knock_out:
        yield speaker.say("rules FULL knocked")


_COUNTED = ("4s 4c 4d 4h 5s 5c 6s 6c", "3s 3c 4s 4c 5s 5c 6s 6c", "2s 2c 2d 2h")


def special_sets(ruleset: Ruleset, speaker: Speaker) -> Told:
    if not ruleset.payments.special_sets:
        yield speaker.say("rules SPECIAL nothing")
        return
    yield speaker.say("rules SPECIAL")
    rows = tuple(
        (speaker.capital(_special_set(special, speaker)), str(special.points))
        for special in ruleset.payments.special_sets
    )
    yield Table(head(speaker, "cards", "points"), rows)
    yield speaker.say("rules SPECIAL best")
    for cards in _COUNTED:
        worth = ruleset.values.of(read(ruleset, cards))
        if worth:
            shown = speaker.cards(cards.split())
            yield speaker.say("rules SPECIAL example", cards=shown, points=speaker.points(worth))


_PLAYERS = ("An", "Bình", "Chi")
_CHOPPED = (
    ("2c 2h", "4s 4c 4d 4h"),
    ("2d", "2h", "6s 6c 7s 7c 8s 8c"),
    ("2c", "Js Jc Qs Qc Ks Kc", "3s 3c 3d 3h"),
    ("3s 3c 4s 4c 5s 5c", "7s 7c 8s 8c 9s 9c"),
)


def bomb_bonus(ruleset: Ruleset, speaker: Speaker) -> Told:
    if not _bombs_are_paid(ruleset):
        return
    yield speaker.say("rules CHOP")
    rows = tuple(_chopped(pile, ruleset, speaker) for pile in _CHOPPED if _is_chopped(pile, ruleset))
    if rows:
        yield Table(head(speaker, "pile", "payment"), rows)
    yield speaker.say("rules CHOP earlier")


def bomb_on_the_out(ruleset: Ruleset, speaker: Speaker) -> Told:
    if _bombs_are_paid(ruleset):
        yield speaker.say("rules CHOP-OUT")


def hoarding(ruleset: Ruleset, speaker: Speaker) -> Told:
    if not ruleset.payments.special_sets:
        return
    yield speaker.say("rules HOARD")
    yield speaker.say("rules HOARD winner" if ruleset.ending.at_first_out else "rules HOARD last out")
    if ruleset.ending.knock_out and not ruleset.ending.at_first_out:
        yield speaker.say("rules HOARD knocked")


def instant_wins(ruleset: Ruleset, speaker: Speaker) -> Told:
    wins = ruleset.instant_wins
    if not wins.hands:
        return
    yield speaker.say("rules INSTANT")
    rows = tuple(
        (speaker.capital(speaker.instant_win(win.name)), speaker.capital(_hand(win, ruleset, speaker)))
        for win in wins.hands
    )
    yield Table(head(speaker, "hand", "cards"), rows)
    yield speaker.say("rules INSTANT pays", hand=ruleset.deal.hand, points=speaker.points(wins.points))
    yield speaker.say("rules INSTANT several")


def _bombs_are_paid(ruleset: Ruleset) -> bool:
    return bool(playable_bombs(ruleset) and ruleset.payments.special_sets)


def _special_set(special: SpecialSet, speaker: Speaker) -> str:
    target = special.target
    if target.rank is None or not special.suits:
        return speaker.shape(target.shape, target.rank)
    cards = speaker.cards(str(Card(target.rank, suit)) for suit in special.suits)
    return speaker.say("rules SPECIAL each", cards=cards)


def _is_chopped(pile: tuple[str, ...], ruleset: Ruleset) -> bool:
    """Whether the engine would take this pile, and pay for its last bomb."""
    last = ruleset.book.read(read(ruleset, pile[-1]))
    legal = all(beats(ruleset, pile[i + 1], pile[i]) for i in range(len(pile) - 1))
    return legal and last is not None and last.bomb and _captured(pile, ruleset) > 0


def _captured(pile: tuple[str, ...], ruleset: Ruleset) -> int:
    return sum(ruleset.values.of(read(ruleset, cards)) for cards in pile[:-1])


def _chopped(pile: tuple[str, ...], ruleset: Ruleset, speaker: Speaker) -> tuple[str, str]:
    """A pile and what is paid for it."""
    plays = zip(_PLAYERS, pile, strict=False)
    *_, payer, payee = _PLAYERS[: len(pile)]
    points = speaker.points(_captured(pile, ruleset))
    return (
        " → ".join(f"{name} {speaker.cards(cards.split())}" for name, cards in plays),
        speaker.say("rules CHOP pays", payer=payer, payee=payee, points=points),
    )


def _hand(win: InstantWin, ruleset: Ruleset, speaker: Speaker) -> str:
    """What is demanded of a hand that wins at once."""
    demands = []
    if win.pairs:
        demands.append(speaker.say("rules INSTANT pairs", number=speaker.number(win.pairs)))
    if win.block is not None:
        top = ruleset.combinations.top_of_sequences
        if win.block.shape == Shape(1, top + 1):
            demands.append(speaker.say("rules INSTANT whole run", low=label(min(Rank)), high=label(top)))
        else:
            demands.append(speaker.shape(win.block.shape, win.block.rank))
    if win.bomb_with is not None:
        demands.append(speaker.say("rules INSTANT bomb", card=speaker.card(str(win.bomb_with))))
    hand = speaker.all_of(demands)
    return speaker.say("rules INSTANT opening", hand=hand) if win.opening_only else hand
