"""A played night, with a correction that was agreed with, so that there is something to look at."""

from contextlib import suppress
from functools import cache
from importlib.resources import files
from uuid import uuid4

from ledger.game import notation
from ledger.game.night import Night
from ledger.recorder.drafts import EventRequest
from ledger.recorder.operations.transfer import Imported, import_tln
from ledger.recorder.problems import Problem
from ledger.recorder.recording import Recorder
from ledger.recorder.views.round import Say
from ledger.store import Link, NightExists, Role

ROUND, TAPPED, PLAYED = 2, "2d", "2c"
REASON = "Tú đánh 2♣, người ghi bấm nhầm 2♦"
AGREES = "p3"
"""Lan, whom the correction costs a point more: the red 2 was hers."""


@cache
def demo_text() -> str:
    """The night as a replay, before its correction. It is read once: every page of a night asks whether it is
    this one."""
    return files("ledger").joinpath("demo.tln").read_text(encoding="utf-8")


def demo_night() -> Night:
    """The night as the rules have it, before its correction."""
    return notation.replay(notation.read(demo_text()))


def record_demo(recorder: Recorder, say: Say, id: str | None = None) -> Imported:
    """Record the night, under a new id where none is given; correct the card that was mistapped, and let the player
    whom it costs agree. Raises NightExists if there is a night of that id."""
    imported = import_tln(recorder, demo_night(), id)
    night, keeper = imported.night, Link(imported.night, Role.KEEPER)
    with recorder.night(night) as snapshot:
        round, after = snapshot.round_page(ROUND, say), snapshot.state.after
    (mistapped,) = (row for row in round.moves if row.cards == [TAPPED])
    entry = {"kind": "play", "seat": mistapped.player, "cards": [PLAYED]}
    content = {"changes": [{"target": mistapped.address, "with": entry}], "reason": REASON}
    recorder.record(night, EventRequest(str(uuid4()), after, "correct", content), keeper)
    agreed = EventRequest(str(uuid4()), None, "confirm", {"round": ROUND})
    recorder.record(night, agreed, Link(night, Role.SEAT, AGREES))
    return imported


def example_id(recorder: Recorder) -> str:
    """The id of the one night that everybody looks around in: nobody without the server's key can open another
    night under it before."""
    return recorder.derived_id(demo_text())


def example_night(recorder: Recorder, say: Say) -> Link:
    """The watchers' link to that night, which is recorded when it is first asked for."""
    link = Link(example_id(recorder), Role.WATCH)
    try:
        with recorder.night(link.night):
            return link
    except Problem:  # nobody has asked for it before
        with suppress(NightExists):  # somebody asks at the same moment
            record_demo(recorder, say, link.night)
    return link
