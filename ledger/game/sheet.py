"""The separate sheet: scores for places, which nobody pays for (clause PLACE)."""

from ledger.game.round import Round


def sheet_of(round: Round) -> dict[int, int]:
    """Player -> score on the separate sheet, by place; an instant win scores as the first place. All scores are
    multiplied by the factor of the header. Empty if the rules keep no sheet for so many players, or the round has
    not ended or does not count."""
    rules, seats = round.ruleset.payments, round.header.seats
    own = next((row.points for row in rules.sheets if len(row.points) == len(seats)), ())
    points = own if rules.sheets else rules.sheet.points
    if not points or not round.counts:
        return {}
    if round.claims:
        won = {player: points[0] for player, _ in round.winning_claims}
    else:
        won = dict(zip(round.places, points, strict=False))
    scored = dict.fromkeys(seats, own[-1] if own else 0) | won
    return {player: round.header.times * points for player, points in scored.items()}
