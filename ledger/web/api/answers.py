"""What the interface answers, for OpenAPI; the tests hold real answers to it."""

from dataclasses import dataclass

from marshmallow import INCLUDE, Schema, post_dump
from marshmallow.fields import Dict, Integer, List, Raw, String

from ledger.game import report
from ledger.game.cards import Deck
from ledger.game.report import NightReport
from ledger.game.side_by_side import ComparisonReport
from ledger.recorder import Tokens
from ledger.recorder.views import night, preview
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.night import Hash, Uuid
from ledger.recorder.views.preview import RuledEntry
from ledger.recorder.views.round import RoundPayment, RoundView
from ledger.web.api.dumping import Answer, schema_of


class ProblemAnswer(Schema):
    """Why a request was not carried out (RFC 9457); nothing was recorded."""

    class Meta:
        unknown = INCLUDE

    type = String(required=True)
    title = String(required=True)
    status = Integer(required=True)
    detail = String(
        required=True, metadata={"description": "What is wrong and what to do, in the caller's language."}
    )
    code = String(
        required=True, metadata={"description": "Stable: what programs should ask for.", "example": "stale"}
    )
    request_id = String(required=True, metadata={"description": "What the server's log calls this request."})
    clause = String(metadata={"description": "The clause of the rules that speaks.", "example": "S-COMPARE"})
    fields = Dict(  # type: ignore[assignment]
        String(), List(String()), metadata={"description": "Field -> what was expected there (unreadable)."}
    )
    events = List(Raw(), metadata={"description": "What was recorded since (stale)."})


@dataclass(frozen=True, slots=True)
class OpenedNight:
    """A night's links: `tokens` for programs, `links` for people."""

    id: Uuid
    seq: int
    hash: Hash
    links: Tokens
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event as it was recorded, and the board as it is now; after `join` and `revoke` the links too."""

    id: Uuid
    seq: int
    hash: Hash
    board: night.Board
    links: Tokens | None = None
    tokens: Tokens | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """One message of a stream."""

    id: str
    """The seq of the head."""
    data: str
    """The head as JSON: seq, hash and code."""


class _BesideItsPart(Answer):
    """An entry whose part stands beside what is said of it."""

    class Meta:
        unknown = INCLUDE

    @post_dump(pass_original=True)
    def with_its_part(
        self, data: dict[str, object], original: RuledEntry, **kwargs: object
    ) -> dict[str, object]:
        return {**original.part, **data}


schema_of(RuledEntry, "kind address move code clause message", _BesideItsPart)
schema_of(
    EntryRow,
    "move! address event player! kind cards sets combination! implied stood code! clause! at actor "
    "forward locks contract places knocked_out bombs corrects before",
)
schema_of(Deck, "packs backs")
schema_of(RoundPayment, "payer payee points reason clause move cause posted dispute")
schema_of(
    RoundView,
    "opening leader seats number stood status over posted void by_result turn to pile waiting passes left "
    "uncounted locked places knocked_out seen seen_counts to_draw forward contracts suit_lock playable alone "
    "moves hands needed can_settle payments net findings",
)
Board = schema_of(
    night.Board,
    "seq hash code id after players ruleset deck stake role ended net provisional posted undo redo unsettled "
    "next round",
)
Ledger = schema_of(LedgerView, "seq hash code players payments balances rounds totals")


Opened = schema_of(OpenedNight)
Recorded = schema_of(RecordedEvent)
Preview = schema_of(preview.Preview)
Log = schema_of(night.LogView, "seq hash code night events")
Message = schema_of(Told)
Score = schema_of(NightReport)
NoScore = schema_of(report.NoScore)
ScoreUnder = schema_of(ComparisonReport)
