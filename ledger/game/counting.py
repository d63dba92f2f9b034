"""Finds where a record may be wrong, if a player holds another number of cards than it says."""

from ledger.game.fold import positions
from ledger.game.moves import Pass, Play
from ledger.game.round import Round


def suspects(round: Round, player: int, held: int) -> list[int]:
    """The numbers of the moves that may have been recorded wrongly for a player, the latest first.

    If the player holds fewer cards, a play was recorded as a pass: passes on plays of as many cards as are missing.
    If more, another player's play was recorded as this one's: plays of as many cards as are too many. Empty if the
    numbers agree, or no single move explains the difference.
    """
    missing = round.cards_left[player] - held
    lies, found = 0, list[int]()
    for number, (move, position) in enumerate(zip(round.moves, positions(round), strict=True), start=1):
        if isinstance(move, Pass) and move.player == player and missing > 0 and lies == missing:
            found.append(number)
        if isinstance(move, Play) and move.player == player and move.cards.bit_count() == -missing:
            found.append(number)
        lies = position.top_cards.bit_count()
    return found[::-1]
