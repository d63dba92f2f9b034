"""A night as a file: for another table, a spreadsheet, a program, a bookkeeper, or the group's chat."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import assert_never

from ledger.game.notation import write
from ledger.recorder import moves_file
from ledger.recorder.exports import bills, journals, tables
from ledger.recorder.exports.document import document
from ledger.recorder.exports.share import Voice, share_text
from ledger.recorder.recording import Recorder


class Format(StrEnum):
    """What a night can be written as."""

    TLN = "tln"
    JSONL = "jsonl"
    """The same as JSON lines, for programs that record."""
    EXACT = "exact"
    """The log itself, from which the same heads come out."""
    CSV = "csv"
    """Payments, for a spreadsheet."""
    TOTALS = "totals"
    """Running totals, for a spreadsheet."""
    JSON = "json"
    HLEDGER = "hledger"
    BEANCOUNT = "beancount"
    SPLITWISE = "splitwise"
    IHATEMONEY = "ihatemoney"
    SHARE = "share"
    """A few lines for the group's chat."""


_TEXT, _CSV = "text/plain", "text/csv"
_FILES = {
    Format.TLN: (".tln", _TEXT),
    Format.JSONL: (".jsonl", "application/jsonl"),
    Format.EXACT: (".ndjson", "application/x-ndjson"),
    Format.CSV: (".csv", _CSV),
    Format.TOTALS: ("-totals.csv", _CSV),
    Format.JSON: (".json", "application/json"),
    Format.HLEDGER: (".journal", _TEXT),
    Format.BEANCOUNT: (".beancount", _TEXT),
    Format.SPLITWISE: ("-splitwise.csv", _CSV),
    Format.IHATEMONEY: ("-ihatemoney.json", "application/json"),
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
    voice: Voice,
    *,
    address: str = "",
    with_payments: bool = False,
    coded: bool = False,
) -> Exported:
    """A night in one of the formats, as it stands at one head; Problem (not found) if there is none.

    `voice` speaks the reader's language: the sentences of findings, the columns and reasons of tables (unless they
    are to be `coded`, as programs read them), and the lines for a chat, which end with the night's `address`.
    `with_payments` adds the payments of each round to a replay or a moves file.
    """
    made: Callable[[], str]
    """Writes the text from what was read; it takes its time, and asks nothing more of the night."""
    with recorder.night(night) as snapshot:
        date = snapshot.terms.date
        match format:
            case Format.TLN:
                made = partial(write, snapshot.whole(), with_payments=with_payments)
            case Format.JSONL:
                made = partial(moves_file.write, snapshot.whole(), with_payments=with_payments)
            case Format.EXACT:
                made = partial(_exact_log, recorder, night)
            case Format.CSV:
                made = partial(tables.payments, snapshot.ledger(), None if coded else voice)
            case Format.TOTALS:
                made = partial(tables.totals, snapshot.ledger(), None if coded else voice)
            case Format.JSON:
                made = partial(
                    document, snapshot.settle_up(), snapshot.opening.rules, snapshot.whole(), voice.words
                )
            case Format.HLEDGER:
                made = partial(journals.hledger, snapshot.ledger())
            case Format.BEANCOUNT:
                made = partial(journals.beancount, snapshot.ledger())
            case Format.SPLITWISE:
                made = partial(bills.splitwise, snapshot.settle_up(), voice)
            case Format.IHATEMONEY:
                made = partial(bills.ihatemoney, snapshot.settle_up(), voice)
            case Format.SHARE:
                made = partial("{}\n".format, share_text(snapshot.settle_up(), voice, address))
            case _:
                assert_never(format)
    ending, media_type = _FILES[format]
    return Exported(f"tienlen-{date}-{night[:8]}{ending}", media_type, made())


def _exact_log(recorder: Recorder, night: str) -> str:
    return "".join(f"{line}\n" for line in recorder.store.export_log(night))
