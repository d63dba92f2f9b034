"""Chooses the special sets of some cards that are worth the most together.

Dynamic programming over the ranks, lowest first. A state is the set of unfinished blocks, and how many more ranks
each needs. Only the best way to each state is kept, and no state that another one dominates. Whatever a table
agrees on, at most STATES remain, even for a whole deck.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ledger.game.caches import BoundedCache
from ledger.game.cards import Cards, Deck, Rank, bits

STATES: Final = 200
"""The most states that are kept from one rank to the next."""
_FIELD: Final = 5
"""Bits per field of a state: enough to count the blocks of a rank, and one spare bit."""

Counts: TypeAlias = tuple[int, ...]
"""The number of cards in each group of a rank."""
State: TypeAlias = int
"""The unfinished blocks: for each kind, how many need at least one more rank, at least two, and so on, each count
in a field of bits."""
Taken: TypeAlias = tuple[tuple["Start | None", Counts], ...]
"""The cards of a rank taken by each unfinished block, in order, then by each block that starts there."""


class Kind(NamedTuple):
    """The cards that a block takes of each of its consecutive ranks: `width` cards from one of the `stocks`."""

    width: int
    stocks: tuple[Cards, ...]


class Start(NamedTuple):
    """A block that can start at a rank. `kind` is the index of its kind; `place` orders the blocks of a choice."""

    kind: int
    length: int
    points: int
    place: int


class Way(NamedTuple):
    """One use of the cards of a rank: the state that it leads to, and the points that it earns."""

    state: State
    points: int
    taken: Taken


class Chosen(NamedTuple):
    """A block of a choice."""

    cards: Cards
    points: int
    place: int


class Choosing:
    """Finds the most valuable choice of blocks in any cards of one deck.

    `starts` are all possible blocks, each with its lowest rank; `alone` is what single cards in no block are worth,
    never less than 0.
    """

    def __init__(
        self,
        deck: Deck,
        kinds: Sequence[Kind],
        starts: Iterable[tuple[int, Start]],
        alone: Mapping[Cards, int],
    ) -> None:
        self._kinds = kinds
        self._narrowest = min([kind.width for kind in kinds], default=1)
        dearest: list[dict[tuple[int, int], Start]] = [{} for _ in Rank]
        for low, start in sorted(starts, key=lambda placed: placed[1].points):
            dearest[low][start.kind, start.length] = start
        self._spare = _fields(len(Rank) * len(kinds)) << _FIELD - 1
        """The spare bit of every field."""
        layouts: dict[_Layout, _Ways] = {}
        self._ranks: list[_Rank] = []
        for rank in Rank:
            groups = _groups(deck.rank(rank), kinds, alone)
            layout = _Layout.of(groups, kinds, alone)
            ways = layouts.setdefault(layout, _Ways(layout))
            self._ranks.append(_Rank(deck.rank(rank), groups, ways, tuple(dearest[rank].values())))

    def best(self, cards: Cards) -> list[Chosen]:
        """The blocks of the best choice; among equals, always the same one."""
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
            if some:
                begun, ended = rank.deal(cards, begun, some)
                chosen += ended
        return sorted(chosen, key=lambda one: (one.place, one.cards))

    def followed(self, cards: Cards, most: int | None = None) -> int:
        """The largest number of states kept after a rank; OverflowError if a rank leads to more than `most` before
        dominated states are dropped."""
        return max(map(len, self._steps(cards, self._starts(cards), most)))

    def _steps(
        self, cards: Cards, starts: Iterable[tuple[Start, ...]], most: int | None = None
    ) -> "list[dict[State, _Step]]":
        """For each rank, the best step to each state kept after it; `starts` are the blocks that can start
        there."""
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
            steps.append(self._undominated(after))
        return steps[1:]

    def _starts(self, cards: Cards) -> list[tuple[Start, ...]]:
        """For each rank, the blocks that may start there, as far as the numbers of cards allow."""
        found: list[tuple[Start, ...]] = []
        none = lengths = [0] * len(self._kinds)
        for rank in reversed(self._ranks):
            held = cards & rank.cards
            count = held.bit_count()
            if count < self._narrowest:
                lengths = none
                found.append(())
                continue
            lengths = [
                length + 1
                if count >= kind.width
                and any((held & stock).bit_count() >= kind.width for stock in kind.stocks)
                else 0
                for kind, length in zip(self._kinds, lengths, strict=True)
            ]
            found.append(tuple([start for start in rank.starts if start.length <= lengths[start.kind]]))
        return found[::-1]

    def _undominated(self, steps: "dict[State, _Step]") -> "dict[State, _Step]":
        """Drop dominated states: another has as many points, and none of its blocks needs more ranks than the block
        of the same kind that it is matched with."""
        kept: dict[State, _Step] = {}
        spare = self._spare
        for _, state in sorted([(-step.points, state) for state, step in steps.items()]):
            lent = state | spare
            for other in kept:
                if lent - other & spare == spare:
                    break  # No field of the other is greater, or the spare bit would have been borrowed.
            else:
                kept[state] = steps[state]
        return kept


class _Step(NamedTuple):
    """The best way to a state: the points so far, the state before, and the cards taken of the rank in between."""

    points: int
    before: State
    taken: Taken


class _Layout(NamedTuple):
    """How the cards of a rank fall into groups of interchangeable cards; ranks that are alike share it."""

    worths: tuple[int, ...]
    """The points of a single card of each group."""
    kinds: tuple[tuple[int, tuple[tuple[bool, ...], ...]], ...]
    """For each kind, its width and, for each of its stocks, the groups that lie in it."""

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
"""(Cards left of a rank, next state) -> (points so far, cards taken)."""


class _Ways(BoundedCache[tuple[Counts, State, tuple[Start, ...]], tuple[Way, ...]]):
    """(Cards of a rank, state, blocks that can start) -> the best way to each next state."""

    LIMIT = 4_000

    def __init__(self, layout: _Layout) -> None:
        super().__init__(self._ways)
        self._layout = layout
        self._takes = BoundedCache(self._taking)

    def _ways(self, question: tuple[Counts, State, tuple[Start, ...]]) -> tuple[Way, ...]:
        counts, state, starts = question
        found: _Found = {(counts, 0): (0, ())}
        for ranks, kind in _blocks(state):
            found = self._continue_block(found, ranks, kind)
        for start in starts:
            more = found
            while more := {
                key: begun
                for key, begun in self._start_block(more, start).items()
                if key not in found or found[key][0] < begun[0]
            }:
                found |= more
        best: dict[State, Way] = {}
        for (left, state), (points, taken) in found.items():
            points += sum(map(int.__mul__, left, self._layout.worths))
            if state not in best or best[state].points < points:
                best[state] = Way(state, points, taken)
        return tuple(best.values())

    def _continue_block(self, found: _Found, ranks: int, kind: int) -> _Found:
        """Give one unfinished block its cards."""
        after: _Found = {}
        for (left, then), (points, taken) in found.items():
            for take, rest in self._takes[kind, left]:
                after.setdefault((rest, then + _block(ranks - 1, kind)), (points, (*taken, (None, take))))
        return after

    def _start_block(self, found: _Found, start: Start) -> _Found:
        """Start one more block."""
        after: _Found = {}
        for (left, then), (points, taken) in found.items():
            for take, rest in self._takes[start.kind, left]:
                key, total = (rest, then + _block(start.length - 1, start.kind)), points + start.points
                if key not in after or after[key][0] < total:
                    after[key] = total, (*taken, (start, take))
        return after

    def _taking(self, question: tuple[int, Counts]) -> tuple[tuple[Counts, Counts], ...]:
        """The ways in which a kind can take its cards, each with the cards left."""
        kind, left = question
        width, stocks = self._layout.kinds[kind]
        takes: dict[Counts, None] = {}
        for stock in stocks:
            takes |= dict.fromkeys(
                _shares(width, [n if within else 0 for n, within in zip(left, stock, strict=True)])
            )
        return tuple((take, tuple(map(int.__sub__, left, take))) for take in takes)


def _block(ranks: int, kind: int) -> State:
    """The state of one block that needs `ranks` more ranks."""
    return _fields(ranks) << _FIELD * len(Rank) * kind


def _blocks(state: State) -> Iterator[tuple[int, int]]:
    """Each block of a state as (ranks still needed, kind): last kind first, then longest first."""
    while state:
        kind, ranks = divmod((state.bit_length() - 1) // _FIELD, len(Rank))
        yield ranks + 1, kind
        state -= _block(ranks + 1, kind)


def _fields(count: int) -> int:
    """A 1 in each of the first `count` fields."""
    return ((1 << _FIELD * count) - 1) // ((1 << _FIELD) - 1)


def _shares(width: int, counts: Sequence[int]) -> Iterator[Counts]:
    """Every way to take `width` cards from groups of these sizes."""
    if not counts:
        if not width:
            yield ()
        return
    for first in range(min(width, counts[0]), -1, -1):
        for rest in _shares(width - first, counts[1:]):
            yield first, *rest


class _Rank(NamedTuple):
    """One rank of a deck: its cards in groups, the ways to use them, and the blocks that can start there."""

    cards: Cards
    groups: tuple[Cards, ...]
    ways: _Ways
    starts: tuple[Start, ...]

    def counts(self, cards: Cards) -> Counts:
        """The number of these cards in each group."""
        return tuple([(cards & group).bit_count() for group in self.groups])

    def deal(
        self, cards: Cards, begun: list[tuple[tuple[int, int], Chosen]], taken: Taken
    ) -> tuple[list[tuple[tuple[int, int], Chosen]], list[Chosen]]:
        """Give each block its cards of this rank, lowest first. Returns the blocks still unfinished, in the order
        of the next state, and the finished ones."""
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
