"""Notes of customs outside the play, which are shown, never enforced."""

from dataclasses import dataclass

from ledger.game.customs import Note
from ledger.game.notation import read_note
from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, requested
from ledger.recorder.names import REASON_CHARACTERS
from ledger.recorder.parts import player
from ledger.recorder.problems import unreadable
from ledger.recorder.state import NightState
from ledger.store import EventBody


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """A note of a custom outside the play: who kneels, who owes a card."""

    kind = "note"
    in_replays = True

    note: str = requested(fields.TypedText(REASON_CHARACTERS, "kneels p2 until-first", required=True))
    """In the form of the replay notation."""

    def draft(self, state: NightState) -> Draft:
        def known(word: str) -> int:
            if word not in state.players:
                raise ValueError(word)
            return player(word)

        try:
            read_note(self.note.split(), known, state.terms.ruleset.deck)
        except ValueError:
            raise unreadable("note", "a note such as kneels p2 until-first") from None
        return Draft(0)


def note_of(event: EventBody) -> Note:
    """Read the note in an event."""
    return read_note(event.content["note"].split(), player)
