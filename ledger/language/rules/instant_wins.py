"""Hands that win at once: clause INSTANT."""

from ledger.game.cards import Rank
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.model import InstantWin, Several
from ledger.language.rules.told import Table, Told, hand_sizes, head
from ledger.language.speaker import Speaker
from ledger.language.voice import label


def instant_wins(ruleset: Ruleset, speaker: Speaker) -> Told:
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
    """Whether a hand is made of pairs, and its own row does not say of which colours."""
    block = win.block.shape if win.block is not None else None
    made = win.pairs or win.bomb_with or (block is not None and block.width == 2)
    return bool(made) and not win.one_colour_pairs


def _of_any_suits(win: InstantWin) -> bool:
    """Whether a hand is a sequence of single cards, whatever their suits."""
    block = win.block.shape if win.block is not None else None
    return block is not None and block.width == 1 and not win.in_one_suit


def _hand(win: InstantWin, ruleset: Ruleset, speaker: Speaker) -> str:
    """What is demanded of a hand that wins at once."""
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
