"""Every kind of event that can be recorded, in the order in which people are told of them."""

from collections.abc import Mapping
from typing import Final

from ledger.recorder.events.correction import EntriesCorrected, RoundVoided
from ledger.recorder.events.dispute import Disputed, DisputeDecided, RoundConfirmed
from ledger.recorder.events.ending import NightEnded, NightReopened
from ledger.recorder.events.event import Event
from ledger.recorder.events.money import PointsAdjusted, TransferPaid
from ledger.recorder.events.moves import (
    ContractTaken,
    HandShown,
    InstantWinClaimed,
    Passed,
    Played,
    ResultEntered,
    SetsDeclared,
)
from ledger.recorder.events.note import Noted
from ledger.recorder.events.people import LinkRevoked, PlayerJoined, PlayerRenamed
from ledger.recorder.events.round import RoundBegun
from ledger.recorder.events.settlement import RoundSettled
from ledger.recorder.events.undo import Redone, Undone

KINDS: Final[Mapping[str, type[Event]]] = {
    event.kind: event
    for event in (
        RoundBegun,
        Played,
        Passed,
        InstantWinClaimed,
        ContractTaken,
        ResultEntered,
        HandShown,
        SetsDeclared,
        RoundSettled,
        Undone,
        Redone,
        EntriesCorrected,
        RoundVoided,
        PointsAdjusted,
        Noted,
        RoundConfirmed,
        Disputed,
        DisputeDecided,
        TransferPaid,
        PlayerJoined,
        PlayerRenamed,
        LinkRevoked,
        NightEnded,
        NightReopened,
    )
}
