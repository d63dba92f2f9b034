"""A night as a file: for another table, a spreadsheet, a program, a bookkeeper, or the group's chat."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from ledger.game.report import Words
from ledger.recorder.exports import journals, tables
from ledger.recorder.exports.accounts import Data, account_of, terms_of, whole_night
from ledger.recorder.recording import Recorder
from ledger.recorder.transfers import export_tln


class Format(StrEnum):
    """What a night can be written as."""

    TLN = "tln"
    EXACT = "exact"
    """The log itself, from which the same heads come out."""
    CSV = "csv"
    """Payments, for a spreadsheet."""
    TOTALS = "totals"
    """Running totals, for a spreadsheet."""
    JSON = "json"
    HLEDGER = "hledger"
    BEANCOUNT = "beancount"
    SHARE = "share"
    """A few lines for the group's chat."""


_TEXT, _CSV = "text/plain", "text/csv"
_FILES = {
    Format.TLN: (".tln", _TEXT),
    Format.EXACT: (".ndjson", "application/x-ndjson"),
    Format.CSV: (".csv", _CSV),
    Format.TOTALS: ("-totals.csv", _CSV),
    Format.JSON: (".json", "application/json"),
    Format.HLEDGER: (".journal", _TEXT),
    Format.BEANCOUNT: (".beancount", _TEXT),
    Format.SHARE: (".txt", _TEXT),
}
"""Format -> how the name of its file ends, and its media type."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A file: `name` is plain ASCII, `text` is to be written as UTF-8."""

    name: str
    media_type: str
    text: str


def export(
    recorder: Recorder,
    night: str,
    format: Format,
    *,
    words: Words,
    share: Callable[[Data], str],
    with_payments: bool = False,
) -> Exported:
    """A night in one of the formats, as it stands at one head; Problem (not found) if there is none.

    `words` and `share` speak the reader's language: the sentences of findings, and the account of a night as
    lines for a chat. `with_payments` adds the payments of each round to a replay.
    """
    terms = terms_of(recorder, night)
    ending, media_type = _FILES[format]
    match format:
        case Format.TLN:
            text = export_tln(recorder, night, with_payments=with_payments)
        case Format.EXACT:
            text = "".join(f"{line}\n" for line in recorder.store.export_log(night))
        case Format.CSV:
            text = tables.payments(account_of(recorder, terms))
        case Format.TOTALS:
            text = tables.totals(account_of(recorder, terms))
        case Format.JSON:
            text = json.dumps(whole_night(recorder, terms, words), ensure_ascii=False, indent=1) + "\n"
        case Format.HLEDGER:
            text = journals.hledger(account_of(recorder, terms))
        case Format.BEANCOUNT:
            text = journals.beancount(account_of(recorder, terms))
        case Format.SHARE:
            text = share(account_of(recorder, terms)) + "\n"
        case _:
            assert_never(format)
    return Exported(f"tienlen-{terms.date}-{night[:8]}{ending}", media_type, text)
