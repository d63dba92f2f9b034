"""Cards and combinations: clauses RANK, DEAL, COMBO, COMPARE, BOMB."""

from ledger.game.cards import Card, Rank, Suit
from ledger.game.combinations import Bomb, Kind, Shape, Target
from ledger.game.rulesets import Ruleset
from ledger.language.rules.told import Table, Told, beats, head, lowest_card, playable_bombs
from ledger.language.speaker import Speaker
from ledger.language.voice import glyph, label


def rank(ruleset: Ruleset, speaker: Speaker) -> Told:
    ranks = " ".join(map(label, Rank))
    suits = " ".join(glyph(suit) for suit in Suit)
    yield speaker.say("rules RANK", ranks=ranks, suits=suits)
    highest = speaker.card(str(Card(max(Rank), max(Suit))))
    yield speaker.say("rules RANK order", lowest=lowest_card(speaker), highest=highest)


def deal(ruleset: Ruleset, speaker: Speaker) -> Told:
    deal = ruleset.deal
    players = speaker.any_of(deal.players)
    packs = speaker.number(deal.packs)
    yield speaker.say("rules DEAL", players=players, hand=deal.hand, count=deal.packs, packs=packs)
    yield speaker.say(f"rules DEAL {deal.direction}")
    for seats in deal.players:
        rest = 52 * deal.packs - seats * deal.hand
        if rest > 0:
            yield speaker.say("rules DEAL rest", players=seats, count=rest)


def combination(ruleset: Ruleset, speaker: Speaker) -> Told:
    combinations = ruleset.combinations
    top = combinations.top_of_sequences
    yield speaker.say("rules COMBO")
    rows = []
    for width in combinations.same_rank:
        key = "rules COMBO single" if width == 1 else "rules COMBO same"
        rows.append((speaker.shape(Shape(width)), speaker.say(key, number=speaker.number(width))))
    sequences = combinations.sequence_from <= top + 1
    if sequences:
        what = speaker.say("rules COMBO sequence", count=combinations.sequence_from)
        rows.append((speaker.kind(Kind.SEQUENCE), what))
    if combinations.pair_sequences:
        what = speaker.say("rules COMBO pair-sequence", lengths=speaker.any_of(combinations.pair_sequences))
        rows.append((speaker.kind(Kind.PAIR_SEQUENCE), what))
    yield Table(
        head(speaker, "combination", "cards"), tuple((speaker.capital(name), what) for name, what in rows)
    )
    if sequences or combinations.pair_sequences:
        yield speaker.say("rules COMBO top", rank=label(top))
        if top < Rank.TWO:
            yield speaker.say("rules COMBO no twos")
    if 4 in combinations.same_rank:
        yield speaker.say("rules COMBO four twos")


_COMPARED = (("7s 7h", "7c 7d"), ("8s 9d Th", "8d 9h Ts"))


def comparing(ruleset: Ruleset, speaker: Speaker) -> Told:
    yield speaker.say("rules COMPARE")
    for higher, lower in _COMPARED:
        if beats(ruleset, higher, lower):
            shown = {"higher": speaker.cards(higher.split()), "lower": speaker.cards(lower.split())}
            yield speaker.say("rules COMPARE example", **shown)


def bomb(ruleset: Ruleset, speaker: Speaker) -> Told:
    bombs = playable_bombs(ruleset)
    if not bombs:
        return
    yield speaker.say("rules BOMB")
    rows = tuple((speaker.capital(speaker.shape(bomb.shape)), _beaten(bomb, speaker)) for bomb in bombs)
    yield Table(head(speaker, "bomb", "beats"), rows)
    shapes = [Shape(width) for width in ruleset.combinations.same_rank]
    bombed = {target.shape for bomb in bombs for target in bomb.beats if target.rank in (None, Rank.TWO)}
    safe = [shape for shape in shapes if shape not in bombed and shape not in {bomb.shape for bomb in bombs}]
    if safe:
        names = speaker.any_of(speaker.shape(shape, Rank.TWO) for shape in safe)
        yield speaker.say("rules BOMB unbeaten", shapes=names)
    yield speaker.say("rules BOMB lead")


def _beaten(bomb: Bomb, speaker: Speaker) -> str:
    """What a bomb beats, a lower one of its own shape last."""
    others = [_target(target, speaker) for target in bomb.beats if target != Target(bomb.shape)]
    return speaker.all_of([*others, speaker.say("rules BOMB lower", shape=speaker.shape(bomb.shape))])


def _target(target: Target, speaker: Speaker) -> str:
    key = "any" if target.rank is None else "rank"
    return speaker.say(f"rules BOMB {key}", shape=speaker.shape(target.shape, target.rank))
