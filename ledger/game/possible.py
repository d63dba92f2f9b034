"""Which cards can still be played by a player whose hand is unknown: what the page keeps bright."""

from ledger.game.cards import Cards
from ledger.game.combinations import Combination, Shape
from ledger.game.state import NOBODY, Round


def playable(round: Round, player: int) -> Cards:
    """Every card that this player might lay now, alone or with others, as far as anybody can know.

    Seats skipped on the way to this player's turn are taken to pass. Known are the cards seen so far, how many
    cards the player holds, the pile, and the rules; never a hand.
    """
    if round.over or not round.active >> player & 1:
        return 0
    if _may_lead(round, player):
        return _leads(round, player) if round.must_open and round.deals_all else round.unseen
    if round.top is None or (round.leading and not round.locked(player)):
        return 0
    late = round.ruleset.passing.late if round.locked(player) else None
    return _answers(round, player, round.top, late)


def _may_lead(round: Round, player: int) -> bool:
    """Whether this player leads next, if everybody who could still come in before passes."""
    if round.leading:
        return round.turn in (NOBODY, player)
    winner = round.top_player
    if round.active >> winner & 1:
        return player == winner
    return round.locked(player) and round.next_in(round.active, winner) == player


def _leads(round: Round, player: int) -> Cards:
    """Cards of combinations with the lowest card in them."""
    lowest = 1
    stock = round.unseen
    if not stock & lowest:
        return 0
    found: Cards = lowest
    runs = _Runs(round, stock)
    for shape in round.book.shapes:
        if shape.size <= round.left[player] and runs.starts(shape) & 1:
            span = runs.span(0, shape.length)
            found |= stock & (span if shape.width > 1 else span & ~round.ruleset.deck.rank(0))
    return found


def _answers(round: Round, player: int, top: Combination, only: tuple[Shape, ...] | None) -> Cards:
    stock, held = round.unseen, round.left[player]
    runs = _Runs(round, stock)
    found: Cards = 0
    for shape, entry in round.book.shapes.items():
        if shape.size > held or (only is not None and shape not in only):
            continue
        if entry.kin == top.kin:
            found |= _higher(runs, shape, top)
        elif entry.chops & top.marks:
            found |= runs.cards(runs.starts(shape), shape)
    return found


def _higher(runs: "_Runs", shape: Shape, top: Combination) -> Cards:
    """Cards of blocks of the top's own shape that are higher than it."""
    starts = runs.starts(shape)
    rank = top.top // runs.bits
    level = rank - shape.length + 1
    found = runs.cards(starts >> level + 1 << level + 1, shape)
    higher = runs.stock & runs.rank(rank) & -1 << top.top + 1
    if starts >> level & 1 and higher:
        span = runs.span(level, shape.length)
        # A higher card makes any two or more of its rank higher; a single card must be higher itself.
        found |= runs.stock & (span if shape.width > 1 else span & ~runs.rank(rank) | higher)
    return found


class _Runs:
    """Where blocks of each shape can be made of some cards."""

    def __init__(self, round: Round, stock: Cards) -> None:
        self.stock = stock
        self.bits = round.ruleset.deck.rank_bits
        self.rank = round.ruleset.deck.rank
        self._highest = round.book.highest_in_sequence
        one = (1 << self.bits) - 1
        self._counts = [(stock >> low & one).bit_count() for low in range(0, 13 * self.bits, self.bits)]
        self._wide: dict[int, int] = {}

    def starts(self, shape: Shape) -> int:
        """The lowest ranks of all blocks of this shape, one bit a rank."""
        width = shape.width
        wide = self._wide.get(width)
        if wide is None:
            wide = self._wide[width] = sum(1 << rank for rank, n in enumerate(self._counts) if n >= width)
        if shape.length == 1:
            return wide
        found = wide & (2 << self._highest) - 1
        for _ in range(shape.length - 1):
            found &= found >> 1
        return found

    def span(self, low: int, length: int) -> Cards:
        """Every card of so many ranks from this one on."""
        return ((1 << length * self.bits) - 1) << low * self.bits

    def cards(self, starts: int, shape: Shape) -> Cards:
        """The cards that blocks of this shape with these lowest ranks are made of."""
        ranks = starts
        for _ in range(shape.length - 1):
            ranks |= ranks << 1
        found: Cards = 0
        while ranks:
            low = ranks & -ranks
            found |= self.stock & self.rank(low.bit_length() - 1)
            ranks ^= low
        return found
