"""Cards and what beats what: clauses RANK, DEAL, COMBO, COMPARE, BOMB, TRUMP."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import Bomb, Combinations, Kind, Pattern, Target
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Dealer
from ledger.language.rules.telling import (
    Content,
    Table,
    beats,
    head,
    lowest_card,
)
from ledger.language.speaker import Speaker
from ledger.language.voice import glyph, label


def rank(ruleset: Ruleset, speaker: Speaker) -> Content:
    """The order of ranks and suits, and how equal cards of two packs compare."""
    ranks = " ".join(map(label, Rank))
    suits = " ".join(glyph(suit) for suit in Suit)
    yield speaker.say("rules RANK", ranks=ranks, suits=suits)
    (highest,) = ruleset.deck.write(1 << ruleset.deck.all.bit_length() - 1)
    yield speaker.say("rules RANK order", lowest=lowest_card(speaker), highest=speaker.card(highest))
    if ruleset.deck.has_twins:
        yield speaker.say(f"rules RANK twins {ruleset.combinations.ties}")
    elif ruleset.deal.packs > 1:
        yield speaker.say("rules RANK backs", card=speaker.card(str(Card(min(Rank), min(Suit), 1))))


def deal(ruleset: Ruleset, speaker: Speaker) -> Content:
    """How many cards everyone is dealt, by whom, and what becomes of the rest."""
    deal = ruleset.deal
    facts = {
        "players": speaker.any_of(deal.players),
        "hand": deal.hand,
        "count": deal.packs,
        "packs": speaker.number(deal.packs),
    }
    rest = {seats: 52 * deal.packs - seats * deal.hand_of(seats) for seats in deal.players}
    yield speaker.say("rules DEAL equal" if deal.equal else "rules DEAL", **facts)
    if deal.equal:
        rows = tuple((str(seats), str(deal.hand_of(seats)), str(aside)) for seats, aside in rest.items())
        yield Table(head(speaker, "players", "each", "aside"), rows)
    yield speaker.say(f"rules DEAL {deal.direction}")
    if deal.four_hands:
        yield speaker.say("rules DEAL four hands")
    for seats, aside in rest.items():
        if aside > 0 and not deal.equal:
            key = "rules DEAL pile" if deal.draw_pile else "rules DEAL rest"
            yield speaker.say(key, players=seats, count=aside)
    if deal.dealer is not Dealer.OPEN:
        yield speaker.say(f"rules DEAL dealer {deal.dealer}")


def combination(ruleset: Ruleset, speaker: Speaker) -> Content:
    """The combinations that may be played, and how high sequences reach."""
    combinations = ruleset.combinations
    yield speaker.say("rules COMBO")
    rows = tuple((speaker.capital(name), what) for name, what in _combinations(combinations, speaker))
    yield Table(head(speaker, "combination", "cards"), rows)
    yield from _tops(combinations, speaker)
    if 4 in combinations.same_rank:
        yield speaker.say("rules COMBO four twos")


def _combinations(rules: Combinations, speaker: Speaker) -> Iterator[tuple[str, str]]:
    """The name of each kind of combination, and its description."""

    def several(kind: Kind, key: str, lengths: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        if lengths:
            yield speaker.kind(kind), speaker.say(f"rules COMBO {key}", lengths=speaker.any_of(lengths))

    for width in rules.same_rank:
        key = "rules COMBO single" if width == 1 else "rules COMBO same"
        what = speaker.say(key, number=speaker.number(width))
        yield speaker.shape(Pattern(width)), _coloured(what, rules, speaker) if width == 2 else what
    if _has_sequences(rules):
        key = "rules COMBO sequence suited" if rules.one_suit else "rules COMBO sequence"
        yield speaker.kind(Kind.SEQUENCE), speaker.say(key, count=rules.sequence_from)
    for name, what in several(Kind.PAIR_SEQUENCE, "pair-sequence", rules.pair_sequences):
        if rules.one_colour_throughout:
            yield name, speaker.say("rules COMBO one colour throughout", what=what)
        else:
            yield name, speaker.say("rules COMBO one colour each", what=what) if rules.one_colour else what
    yield from several(Kind.TRIPLE_SEQUENCE, "triple-sequence", rules.triple_sequences)
    yield from several(Kind.FOURS, "fours", rules.fours)
    yield from several(Kind.FOURS, "fours consecutive", rules.fours_consecutive)


def _coloured(pair: str, rules: Combinations, speaker: Speaker) -> str:
    """The description of a pair, with what its colours must be."""
    if not rules.one_colour:
        return pair
    # 2s that follow no suit need not match in a pair either.
    key = "rules COMBO one colour but twos" if rules.follow_suits else "rules COMBO one colour"
    return speaker.say(key, what=pair)


def _has_sequences(rules: Combinations) -> bool:
    return rules.sequence_from <= rules.top_of_sequences + 1


def _tops(rules: Combinations, speaker: Speaker) -> Iterator[str]:
    """How high sequences reach."""
    tops = {}
    if _has_sequences(rules):
        tops["sequence"] = rules.top_of_sequences
    if rules.pair_sequences or rules.triple_sequences or rules.fours_consecutive:
        tops["pair-sequence"] = rules.top_of_pair_sequences
    if len(tops) == 2 and len(set(tops.values())) == 1:
        yield speaker.say("rules COMBO top", rank=label(rules.top_of_sequences))
    else:
        for kind, top in tops.items():
            yield speaker.say(f"rules COMBO top {kind}", rank=label(top))
    if tops and max(tops.values()) < Rank.TWO:
        yield speaker.say("rules COMBO no twos" if len(tops) == 2 else "rules COMBO no two")
    elif tops:
        yield speaker.say("rules COMBO two on top")


_COMPARED = (("7s 7h", "7c 7d"), ("8s 9d Th", "8d 9h Ts"))


def comparing(ruleset: Ruleset, speaker: Speaker) -> Content:
    """When a combination beats another of its kind, with examples that the engine has compared."""
    same_length = ruleset.combinations.equal_length
    yield speaker.say("rules COMPARE" if same_length else "rules COMPARE any length")
    for higher, lower in _COMPARED:
        if beats(ruleset, higher, lower):
            shown = {"higher": speaker.cards(higher.split()), "lower": speaker.cards(lower.split())}
            yield speaker.say("rules COMPARE example", **shown)


_MANY = 3
"""From this many on, things with a common name are not listed one by one."""


def bomb(ruleset: Ruleset, speaker: Speaker) -> Content:
    """The bombs of a ruleset, what each beats, and when one may be led or answered."""
    bombs = ruleset.playable_bombs
    if bombs:
        yield speaker.say("rules BOMB")
        yield Table(head(speaker, "bomb", "beats"), tuple(_rows(bombs, ruleset, speaker)))
        alike = [bomb.shape for bomb in bombs if bomb.alike]
        if alike:
            yield speaker.say("rules BOMB alike", shapes=speaker.all_of(map(speaker.shape, alike)))
        safe = _never_bombed(ruleset, bombs)
        if safe:
            names = speaker.any_of(speaker.shape(shape, Rank.TWO) for shape in safe)
            yield speaker.say("rules BOMB unbeaten", shapes=names)
        yield speaker.say("rules BOMB answer" if ruleset.opening.bombs_answer else "rules BOMB lead")
    for row in (row for row in ruleset.playable_rows if row.plain):
        shape = speaker.shape(row.shape, row.rank)
        beaten = speaker.all_of(targets(row.beats, ruleset, speaker))
        yield speaker.capital(speaker.say("rules BOMB plain", shape=shape, targets=beaten))


def trump(ruleset: Ruleset, speaker: Speaker) -> Content:
    """The cards that, played alone, beat more than other singles."""
    if not ruleset.trumps:
        return
    yield speaker.say("rules TRUMP")
    rows, lower = [], list[str]()
    for trump in ruleset.trumps:
        card = speaker.card(str(trump.card))
        beaten = [*targets(trump.beats, ruleset, speaker), *lower]
        rows.append((card, speaker.all_of(beaten)))
        lower.append(card)
    yield Table(head(speaker, "card", "beats"), tuple(rows))
    if len(ruleset.trumps) > 1:
        yield speaker.say("rules TRUMP several")
    else:
        yield speaker.say("rules TRUMP beaten", card=lower[0])


def targets(beaten: Sequence[Target], ruleset: Ruleset, speaker: Speaker) -> list[str]:
    """The names of some targets; many sequences that differ only in length have one name."""
    named: list[str] = []
    explained: set[Target] = set()
    for target in beaten:
        if target in explained:
            continue
        lengths = [other for other in beaten if _differ_in_length(other, target)]
        if len(lengths) >= _MANY:
            explained.update(lengths)
            named.append(_sequences(lengths, ruleset, speaker))
        else:
            named.append(_target(target, speaker))
    return named


def _rows(bombs: Sequence[Bomb], ruleset: Ruleset, speaker: Speaker) -> Iterator[tuple[str, str]]:
    for index, bomb in enumerate(bombs):
        name = speaker.shape(bomb.shape, bomb.rank)
        yield speaker.capital(name), speaker.all_of(_beaten(bomb, bombs[:index], ruleset, speaker))


def _beaten(bomb: Bomb, above: Sequence[Bomb], ruleset: Ruleset, speaker: Speaker) -> list[str]:
    """What a bomb beats, with lower ones of its own shape last."""
    all_above = len(above) >= _MANY and all(_beats_row(bomb, other) for other in above)
    shapes = {other.shape for other in above} if all_above else ()
    named = targets([target for target in bomb.beats if target.shape not in shapes], ruleset, speaker)
    if all_above:
        named.append(speaker.say("rules BOMB above"))
    if not any(target.includes(Target(bomb.shape)) for target in bomb.beats):
        named.append(_called("lower", bomb.shape, None, speaker))
    return named


def _beats_row(bomb: Bomb, other: Bomb) -> bool:
    """Whether a bomb beats every bomb of another row, except those with 2s on top that have their own row."""
    row = Target(other.shape, other.rank, below=Rank.TWO if other.rank is None else None)
    return any(target.includes(row) for target in bomb.beats)


def _never_bombed(ruleset: Ruleset, bombs: Sequence[Bomb]) -> list[Pattern]:
    """The shapes of 2s that no bomb beats."""
    bombed = [target for bomb in bombs for target in bomb.beats]
    shapes = [Pattern(width) for width in ruleset.combinations.same_rank]
    return [
        shape
        for shape in shapes
        if shape not in {bomb.shape for bomb in bombs}
        and not any(target.includes(Target(shape, Rank.TWO, plain=True)) for target in bombed)
    ]


def _target(target: Target, speaker: Speaker) -> str:
    if target.shape is None:
        return speaker.say("rules BOMB no bomb" if target.plain else "rules BOMB anything")
    if target.below is not None:
        below = speaker.rank(target.below)
        return speaker.say("rules BOMB below", shape=speaker.shape(target.shape), rank=below)
    return _called("any" if target.rank is None else "rank", target.shape, target.rank, speaker)


def _called(key: str, shape: Pattern, rank: Rank | None, speaker: Speaker) -> str:
    """The name of a shape in a list of what is beaten, for some shapes a plural."""
    several = " several" if key != "any" and shape.length > 1 and shape.width > 2 else ""
    return speaker.say(f"rules BOMB {key}{several}", shape=speaker.shape(shape, rank))


def _differ_in_length(one: Target, other: Target) -> bool:
    """Whether two targets are sequences of single cards that differ only in length."""
    if one.shape is None or other.shape is None:
        return False
    sequences = one.shape.is_run and other.shape.is_run
    return sequences and replace(one, shape=replace(one.shape, length=other.shape.length)) == other


def _sequences(found: Sequence[Target], ruleset: Ruleset, speaker: Speaker) -> str:
    """The common name of sequences of several lengths: of any length, or from one length to another."""
    shapes = [target.shape for target in found if target.shape is not None]
    every = [shape for shape in compiled(ruleset).index.shapes if shape.is_run and not shape.suits]
    rank = found[0].rank
    key = "rules BOMB any sequence" if set(shapes) == set(every) else "rules BOMB sequences"
    name = speaker.say(key, low=min(shapes).length, high=max(shapes).length)
    return name if rank is None else speaker.say("run up to", run=name, rank=speaker.rank(rank))
