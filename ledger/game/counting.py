"""Where a record may have gone wrong, if somebody holds another number of cards than it says."""

from ledger.game.fold import apply, begin
from ledger.game.moves import Pass, Play
from ledger.game.round import Round


def suspects(round: Round, player: int, held: int) -> list[int]:
    """The moves, from 1, at which a player's cards may have been recorded wrongly, the latest first.

    Of somebody who holds fewer cards than the record says a play was forgotten: passes on plays of as many cards as
    are missing. Of somebody who holds more, a play was somebody else's: plays of as many cards as are too many.
    Empty where the record has as many, and where no single move explains it.
    """
    missing = round.cards_left[player] - held
    position, found = begin(round.ruleset, round.header), list[int]()
    for number, move in enumerate(round.moves, start=1):
        lies = position.top_cards.bit_count()
        if isinstance(move, Pass) and move.player == player and missing > 0 and lies == missing:
            found.append(number)
        if isinstance(move, Play) and move.player == player and move.cards.bit_count() == -missing:
            found.append(number)
        position = apply(position, move)
    return found[::-1]
