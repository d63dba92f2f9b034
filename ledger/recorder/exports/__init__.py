"""Exports of a night as a file: replay, log, spreadsheet, accounting journal, shared expenses, chat text."""

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
    """The formats of exports."""

    TLN = "tln"
    JSONL = "jsonl"
    """A moves file: the replay as JSON lines, for programs that record."""
    EXACT = "exact"
    """The exact log, which can be verified and imported with the same head."""
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
"""Format -> the ending of its file's name, and its media type."""


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported file: `name` is ASCII, `text` is to be encoded as UTF-8."""

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
    """Export a night in one of the formats, at one head; Problem (not found) if there is no such night.

    `voice` words findings, the columns and reasons of tables, and the chat text, in the reader's language. `coded`
    keeps the codes of columns and reasons, for programs. The chat text ends with `address`, the night's URL.
    `with_payments` adds the payments of each round to a replay or a moves file.
    """
    made: Callable[[], str]
    """Writes the text. It is called after the snapshot is closed, since writing may be slow."""
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
