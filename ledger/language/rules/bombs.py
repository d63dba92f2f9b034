"""What beats more than a lower one of its kind: clauses BOMB, TRUMP."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ledger.game.cards import Rank
from ledger.game.patterns import Bomb, Pattern, Target
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.language.rules.told import Table, Told, head, playable_bombs, playable_rows
from ledger.language.speaker import Speaker

_MANY = 3
"""From so many on, things that have a name together are not listed one by one."""


def bomb(ruleset: Ruleset, speaker: Speaker) -> Told:
    """The bombs of a ruleset, what each beats, and when one may be led or answered."""
    bombs = playable_bombs(ruleset)
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
    for row in playable_rows(ruleset, plain=True):
        shape = speaker.shape(row.shape, row.rank)
        beaten = speaker.all_of(targets(row.beats, ruleset, speaker))
        yield speaker.capital(speaker.say("rules BOMB plain", shape=shape, targets=beaten))


def trump(ruleset: Ruleset, speaker: Speaker) -> Told:
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
    """What some targets are called; many sequences that differ in their length only, as one."""
    named: list[str] = []
    told: set[Target] = set()
    for target in beaten:
        if target in told:
            continue
        lengths = [other for other in beaten if _differ_in_length(other, target)]
        if len(lengths) >= _MANY:
            told.update(lengths)
            named.append(_sequences(lengths, ruleset, speaker))
        else:
            named.append(_target(target, speaker))
    return named


def _rows(bombs: Sequence[Bomb], ruleset: Ruleset, speaker: Speaker) -> Iterator[tuple[str, str]]:
    for place, bomb in enumerate(bombs):
        name = speaker.shape(bomb.shape, bomb.rank)
        yield speaker.capital(name), speaker.all_of(_beaten(bomb, bombs[:place], ruleset, speaker))


def _beaten(bomb: Bomb, above: Sequence[Bomb], ruleset: Ruleset, speaker: Speaker) -> list[str]:
    """What a bomb beats: a lower one of its own shape last."""
    all_above = len(above) >= _MANY and all(_beats_row(bomb, other) for other in above)
    shapes = {other.shape for other in above} if all_above else ()
    named = targets([target for target in bomb.beats if target.shape not in shapes], ruleset, speaker)
    if all_above:
        named.append(speaker.say("rules BOMB above"))
    if not any(_is_all_of(target, bomb.shape) for target in bomb.beats):
        named.append(_called("lower", bomb.shape, None, speaker))
    return named


def _beats_row(bomb: Bomb, other: Bomb) -> bool:
    """Whether a bomb beats every one of another row, but for those with 2s on top that have a row of their own."""
    return any(
        _is_all_of(target, other.shape)
        or (target.shape == other.shape and not target.plain and target.rank == other.rank is not None)
        or (target.shape == other.shape and target.below is Rank.TWO and other.rank is None)
        for target in bomb.beats
    )


def _is_all_of(target: Target, shape: Pattern) -> bool:
    """Whether every block of a shape is meant."""
    named = target.shape is None or target.shape.covers(shape)
    return named and not (target.plain or target.below or target.rank)


def _never_bombed(ruleset: Ruleset, bombs: Sequence[Bomb]) -> list[Pattern]:
    """The shapes of 2s that no bomb beats."""
    bombed = [target for bomb in bombs for target in bomb.beats]
    shapes = [Pattern(width) for width in ruleset.combinations.same_rank]
    return [
        shape
        for shape in shapes
        if shape not in {bomb.shape for bomb in bombs}
        and not any(target.names(shape, Rank.TWO) for target in bombed)
    ]


def _target(target: Target, speaker: Speaker) -> str:
    if target.shape is None:
        return speaker.say("rules BOMB no bomb" if target.plain else "rules BOMB anything")
    if target.below is not None:
        below = speaker.rank(target.below)
        return speaker.say("rules BOMB below", shape=speaker.shape(target.shape), rank=below)
    return _called("any" if target.rank is None else "rank", target.shape, target.rank, speaker)


def _called(key: str, shape: Pattern, rank: Rank | None, speaker: Speaker) -> str:
    """A shape in a list of what is beaten; of some the name is a plural."""
    several = " several" if key != "any" and shape.length > 1 and shape.width > 2 else ""
    return speaker.say(f"rules BOMB {key}{several}", shape=speaker.shape(shape, rank))


def _differ_in_length(one: Target, other: Target) -> bool:
    """Whether two targets are sequences of single cards that differ in nothing but their length."""
    if one.shape is None or other.shape is None:
        return False
    sequences = one.shape.is_run and other.shape.is_run
    return sequences and replace(one, shape=replace(one.shape, length=other.shape.length)) == other


def _sequences(found: Sequence[Target], ruleset: Ruleset, speaker: Speaker) -> str:
    """Sequences of several lengths: of any, or of so many cards up to so many."""
    shapes = [target.shape for target in found if target.shape is not None]
    every = [shape for shape in compiled(ruleset).index.shapes if shape.is_run and not shape.suits]
    rank = found[0].rank
    key = "rules BOMB any sequence" if set(shapes) == set(every) else "rules BOMB sequences"
    name = speaker.say(key, low=min(shapes).length, high=max(shapes).length)
    return name if rank is None else speaker.say("run up to", run=name, rank=speaker.rank(rank))
