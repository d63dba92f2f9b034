"""The separate sheet: scores for places, which nobody pays for (clause PLACE)."""

from ledger.game.round import Round


def sheet_of(round: Round) -> dict[int, int]:
    """Player -> score on the separate sheet, by place; an instant win scores as the first place (clause PLACE).
    Empty if the rules keep no sheet, or the round has not ended or does not count."""
    points = round.ruleset.payments.sheet.points
    if not points or not round.counts:
        return {}
    if round.claims:
        won = {player: points[0] for player, _ in round.winning_claims}
    else:
        won = dict(zip(round.places, points, strict=False))
    return dict.fromkeys(round.header.seats, 0) | won
