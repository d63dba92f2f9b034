"""The example night: a complete night, with a correction that a player has confirmed."""

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
"""Lan, who played the red 2: the correction costs her a point more."""


@cache
def demo_text() -> str:
    """The example night as a replay, before its correction. Cached, as every page checks whether its night is the
    example."""
    return files("ledger").joinpath("demo.tln").read_text(encoding="utf-8")


def demo_night() -> Night:
    """The example night as a `Night` of the rules, before its correction."""
    return notation.replay(notation.read(demo_text()))


def corrected_night() -> Night:
    """The example night as its ledger shows it, after the correction."""
    before, corrected, after = demo_text().partition(f"\nround {ROUND} ")
    mistapped, played = f" {TAPPED}\n", f" {PLAYED}\n"
    return notation.replay(notation.read(f"{before}{corrected}{after.replace(mistapped, played, 1)}"))


def record_demo(recorder: Recorder, say: Say, id: str | None = None) -> Imported:
    """Record the example night, under a new id if none is given, correct a mistapped card, and let the player who
    loses by that confirm. Raises NightExists if the id is taken."""
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
    """The id of the installation's public example night, derived from its key so that no client can take the id
    first."""
    return recorder.derived_id(demo_text())


def example_night(recorder: Recorder, say: Say) -> Link:
    """The watchers' link to the public example night, which is recorded on first use."""
    link = Link(example_id(recorder), Role.WATCH)
    try:
        with recorder.night(link.night):
            return link
    except Problem:  # not recorded yet
        with suppress(NightExists):  # another request has just recorded it
            record_demo(recorder, say, link.night)
    return link
