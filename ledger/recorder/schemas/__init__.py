"""What an event says, whoever asks for it: the only gate for input. One schema for each kind of event."""

from collections.abc import Mapping

from ledger.recorder.schemas import corrections, night, play
from ledger.recorder.schemas.corrections import Change
from ledger.recorder.schemas.request import MISSING

__all__ = ["EVENTS", "MISSING", "Change"]

EVENTS: Mapping[str, play.Beside] = {
    "round": play.Round(),
    "play": play.Play(),
    "pass": play.Pass(),
    "claim": play.Claim(),
    "contract": play.Contract(),
    "result": play.Result(),
    "show": play.Show(),
    "declare": play.Declare(),
    "settle": play.Settle(),
    "undo": play.Undo(),
    "redo": play.Redo(),
    "correct": corrections.Correct(),
    "void": night.Void(),
    "adjust": night.Adjust(),
    "note": night.Note(),
    "confirm": night.Confirm(),
    "dispute": night.Dispute(),
    "decide": night.Decide(),
    "paid": night.Paid(),
    "join": night.Join(),
    "rename": night.Rename(),
    "revoke": night.Revoke(),
    "end": night.End(),
    "reopen": night.Reopen(),
}
"""What each kind of event that can be recorded is read by."""
