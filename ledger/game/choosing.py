"""Which special sets to take of some cards, and which cards to leave: the choice that is worth the most.

The ranks are gone through from the lowest to the highest. All that matters of the ranks below is which blocks they
have begun and how many more ranks these take: of all the ways to come to such a state the best is followed, and
none to a state that another one outdoes. Whatever a table agrees on, these are at most STATES, of all cards there
are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.game.caches import BoundedCache
from ledger.game.cards import Cards, Deck, Rank, bits

STATES: Final = 200
"""So many are followed from one rank to the next, at the most."""
_FIELD: Final = 5
"""Bits of a field of a state: as many blocks as a rank has cards, and a bit to spare."""

Counts: TypeAlias = tuple[int, ...]
"""How many cards of each group of a rank."""
State: TypeAlias = int
"""The blocks that were begun: how many of each kind take one more rank at the least, two, three and so on, each in
a field of bits."""
Taken: TypeAlias = tuple[tuple["Start | None", Counts], ...]
"""What is taken of a rank by each block of a state, in order, and then by each that begins there."""


class Kind(NamedTuple):
    """What a block takes of each of its ranks, which are consecutive: `width` cards, all of one of some stocks."""

    width: int
    stocks: tuple[Cards, ...]


class Start(NamedTuple):
    """A block that can begin at a rank, its kind by number. Those of a choice are listed by their `place`."""

    kind: int
    length: int
    points: int
    place: int


class Way(NamedTuple):
    """What can be done with the cards of a rank: the state that it leads to, and the points that it brings."""

    state: State
    points: int
    taken: Taken


class Chosen(NamedTuple):
    """A block of a choice."""

    cards: Cards
    points: int
    place: int


class Choosing:
    """The best choices of blocks of one deck, whatever the cards.

    `starts` are all blocks that there are, each with its lowest rank; `alone` is what single cards are worth that
    no block takes, nothing at the least.
    """

    def __init__(
        self,
        deck: Deck,
        kinds: Sequence[Kind],
        starts: Iterable[tuple[int, Start]],
        alone: Mapping[Cards, int],
    ) -> None:
        self._kinds = kinds
        dearest: list[dict[tuple[int, int], Start]] = [{} for _ in Rank]
        for low, start in sorted(starts, key=lambda placed: placed[1].points):
            dearest[low][start.kind, start.length] = start
        self._spare = _fields(len(Rank) * len(kinds)) << _FIELD - 1
        """The bit to spare of every field."""
        layouts: dict[_Layout, _Ways] = {}
        self._ranks: list[_Rank] = []
        for rank in Rank:
            groups = _groups(deck.rank(rank), kinds, alone)
            layout = _Layout.of(groups, kinds, alone)
            ways = layouts.setdefault(layout, _Ways(layout))
            self._ranks.append(_Rank(deck.rank(rank), groups, ways, tuple(dearest[rank].values())))

    def best(self, cards: Cards) -> list[Chosen]:
        """The blocks of the best choice; of several, always the same one."""
        starts = self._starts(cards)
        if not any(starts):
            return []
        state: State = 0
        taken: list[Taken] = []
        for steps in reversed(self._steps(cards, starts)):
            step = steps[state]
            taken.append(step.taken)
            state = step.before
        chosen: list[Chosen] = []
        begun: list[tuple[tuple[int, int], Chosen]] = []
        for rank, some in zip(self._ranks, reversed(taken), strict=True):
            begun, ended = rank.deal(cards, begun, some)
            chosen += ended
        return sorted(chosen, key=lambda one: (one.place, one.cards))

    def followed(self, cards: Cards, most: int | None = None) -> int:
        """How many states are followed from one rank to the next, at the most; OverflowError if the cards of a rank
        lead to more than `most`."""
        return max(map(len, self._steps(cards, self._starts(cards), most)))

    def _steps(
        self, cards: Cards, starts: Iterable[tuple[Start, ...]], most: int | None = None
    ) -> "list[dict[State, _Step]]":
        """The best step to each state that is followed behind each rank, where these blocks can begin at each."""
        steps: list[dict[State, _Step]] = [{0: _Step(0, 0, ())}]
        for rank, possible in zip(self._ranks, starts, strict=True):
            counts = rank.counts(cards)
            after: dict[State, _Step] = {}
            for state, (points, _, _) in steps[-1].items():
                for way in rank.ways[counts, state, possible]:
                    total = points + way.points
                    if way.state not in after or after[way.state].points < total:
                        after[way.state] = _Step(total, state, way.taken)
            if most is not None and len(after) > most:
                raise OverflowError(len(after))
            steps.append(self._not_outdone(after))
        return steps[1:]

    def _starts(self, cards: Cards) -> list[tuple[Start, ...]]:
        """Of each rank the blocks that the cards have enough for, from there on."""
        found = []
        lengths = [0] * len(self._kinds)
        for rank in reversed(self._ranks):
            held = cards & rank.cards
            count = held.bit_count()
            for number, kind in enumerate(self._kinds):
                enough = count >= kind.width and any(
                    (held & stock).bit_count() >= kind.width for stock in kind.stocks
                )
                lengths[number] = lengths[number] + 1 if enough else 0
            found.append(tuple([start for start in rank.starts if start.length <= lengths[start.kind]]))
        return found[::-1]

    def _not_outdone(self, steps: "dict[State, _Step]") -> "dict[State, _Step]":
        """Without the states that another one outdoes: it has brought as much, and each of its blocks takes a part
        of what one of theirs of the same kind takes."""
        kept: dict[State, _Step] = {}
        spare = self._spare
        for _, state in sorted([(-step.points, state) for state, step in steps.items()]):
            lent = state | spare
            for other in kept:
                if lent - other & spare == spare:
                    break  # No field of the other is greater, or it would have borrowed what is lent to it.
            else:
                kept[state] = steps[state]
        return kept


class _Step(NamedTuple):
    """The best way to a state: the points so far, the state before, and what was taken of the rank between."""

    points: int
    before: State
    taken: Taken


class _Layout(NamedTuple):
    """A rank's cards in groups of which no block tells two cards apart, whichever rank it is."""

    worths: tuple[int, ...]
    """What a card of each group is worth by itself."""
    kinds: tuple[tuple[int, tuple[tuple[bool, ...], ...]], ...]
    """Of each kind its width, and of each of its stocks which groups lie in it."""

    @classmethod
    def of(cls, groups: Sequence[Cards], kinds: Iterable[Kind], alone: Mapping[Cards, int]) -> "_Layout":
        return cls(
            tuple(alone.get(group & -group, 0) for group in groups),
            tuple(
                (
                    kind.width,
                    tuple(tuple(bool(group & stock) for group in groups) for stock in kind.stocks),
                )
                for kind in kinds
            ),
        )


def _groups(rank: Cards, kinds: Sequence[Kind], alone: Mapping[Cards, int]) -> tuple[Cards, ...]:
    groups: dict[tuple[object, ...], Cards] = {}
    for card in bits(rank):
        key = (alone.get(card, 0), *(bool(card & stock) for kind in kinds for stock in kind.stocks))
        groups[key] = groups.get(key, 0) | card
    return tuple(groups.values())


_Found: TypeAlias = dict[tuple[Counts, State], tuple[int, Taken]]
"""By the cards of a rank that are left, and the state that follows: the points so far, and what was taken."""


class _Ways(BoundedCache[tuple[Counts, State, tuple[Start, ...]], tuple[Way, ...]]):
    """The ways to go on from a state with so many cards of a rank where some blocks can begin; of those that lead
    to the same state, the best."""

    LIMIT = 4_000

    def __init__(self, layout: _Layout) -> None:
        super().__init__(self._ways)
        self._layout = layout
        self._takes = BoundedCache(self._taking)

    def _ways(self, question: tuple[Counts, State, tuple[Start, ...]]) -> tuple[Way, ...]:
        counts, state, starts = question
        found: _Found = {(counts, 0): (0, ())}
        for ranks, kind in _blocks(state):
            found = self._gone_on(found, ranks, kind)
        for start in starts:
            more = found
            while more := {
                key: begun
                for key, begun in self._begun(more, start).items()
                if key not in found or found[key][0] < begun[0]
            }:
                found |= more
        best: dict[State, Way] = {}
        for (left, state), (points, taken) in found.items():
            points += sum(map(int.__mul__, left, self._layout.worths))
            if state not in best or best[state].points < points:
                best[state] = Way(state, points, taken)
        return tuple(best.values())

    def _gone_on(self, found: _Found, ranks: int, kind: int) -> _Found:
        """One more block of a state takes its cards."""
        after: _Found = {}
        for (left, then), (points, taken) in found.items():
            for take, rest in self._takes[kind, left]:
                after.setdefault((rest, then + _block(ranks - 1, kind)), (points, (*taken, (None, take))))
        return after

    def _begun(self, found: _Found, start: Start) -> _Found:
        """One more block begins."""
        after: _Found = {}
        for (left, then), (points, taken) in found.items():
            for take, rest in self._takes[start.kind, left]:
                key, total = (rest, then + _block(start.length - 1, start.kind)), points + start.points
                if key not in after or after[key][0] < total:
                    after[key] = total, (*taken, (start, take))
        return after

    def _taking(self, question: tuple[int, Counts]) -> tuple[tuple[Counts, Counts], ...]:
        """What a kind can take of some cards, each with what is left."""
        kind, left = question
        width, stocks = self._layout.kinds[kind]
        takes: dict[Counts, None] = {}
        for stock in stocks:
            takes |= dict.fromkeys(
                _shares(width, [n if within else 0 for n, within in zip(left, stock, strict=True)])
            )
        return tuple((take, tuple(map(int.__sub__, left, take))) for take in takes)


def _block(ranks: int, kind: int) -> State:
    """One block of a kind that takes so many more ranks."""
    return _fields(ranks) << _FIELD * len(Rank) * kind


def _blocks(state: State) -> Iterator[tuple[int, int]]:
    """How many more ranks each block takes, and its kind: the last kind first, and of a kind the longest."""
    while state:
        kind, ranks = divmod((state.bit_length() - 1) // _FIELD, len(Rank))
        yield ranks + 1, kind
        state -= _block(ranks + 1, kind)


def _fields(count: int) -> int:
    """1 in each of so many fields."""
    return ((1 << _FIELD * count) - 1) // ((1 << _FIELD) - 1)


def _shares(width: int, counts: Sequence[int]) -> Iterator[Counts]:
    """Every way to take so many cards of some groups."""
    if not counts:
        if not width:
            yield ()
        return
    for first in range(min(width, counts[0]), -1, -1):
        for rest in _shares(width - first, counts[1:]):
            yield first, *rest


class _Rank(NamedTuple):
    """One rank of a deck: its cards in groups, the ways to go on with them, and the blocks that can begin there."""

    cards: Cards
    groups: tuple[Cards, ...]
    ways: _Ways
    starts: tuple[Start, ...]

    def counts(self, cards: Cards) -> Counts:
        """How many of these cards lie in each group."""
        return tuple([(cards & group).bit_count() for group in self.groups])

    def deal(
        self, cards: Cards, begun: list[tuple[tuple[int, int], Chosen]], taken: Taken
    ) -> tuple[list[tuple[tuple[int, int], Chosen]], list[Chosen]]:
        """Blocks with the cards that they take of this rank, lower ones first: those of the state behind it, in
        order, and those that have ended."""
        piles = [list(bits(cards & group)) for group in self.groups]
        going, ended = [], []
        for place, (start, take) in enumerate(taken):
            if start is None:
                (ranks, kind), block = begun[place]
            else:
                (ranks, kind), block = (start.length, start.kind), Chosen(0, start.points, start.place)
            dealt = sum(piles[group].pop(0) for group, count in enumerate(take) for _ in range(count))
            block = block._replace(cards=block.cards | dealt)
            if ranks > 1:
                going.append(((ranks - 1, kind), block))
            else:
                ended.append(block)
        return sorted(going, key=lambda one: one[0][::-1], reverse=True), ended
