"""What a night agrees on when it is opened."""

from ledger.recorder.schemas import fields
from ledger.recorder.schemas.request import Request


class Stake(Request):
    """What one point is worth, in the currency's own decimals."""

    amount = fields.Amount(required=True)
    currency = fields.Currency(required=True)
