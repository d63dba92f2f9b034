"""What is recorded of the demonstration after its rounds: a correction, and that somebody agrees with it."""

from uuid import uuid4

from ledger.language import Speaker
from ledger.recorder import EventRequest, Link, Recorder, Role

ROUND, TAPPED, PLAYED = 2, "2d", "2c"
REASON = "Tú đánh 2♣, người ghi bấm nhầm 2♦"
AGREES = "p3"
"""Lan, whom the correction costs a point more: the red 2 was hers."""


def correct_and_agree(recorder: Recorder, night: str, say: Speaker) -> None:
    """Correct the card that was mistapped, with the reason, and let the player whom it costs agree."""
    keeper = Link(night, Role.KEEPER)
    with recorder.night(night) as seen:
        round, after = seen.round_page(ROUND, say.finding), seen.state.after
    (mistapped,) = (row for row in round.moves if row.cards == [TAPPED])
    entry = {"kind": "play", "seat": mistapped.player, "cards": [PLAYED]}
    content = {"changes": [{"target": mistapped.address, "with": entry}], "reason": REASON}
    recorder.record(night, EventRequest(str(uuid4()), after, "correct", content), keeper)
    agreed = EventRequest(str(uuid4()), None, "confirm", {"round": ROUND})
    recorder.record(night, agreed, Link(night, Role.SEAT, AGREES))
