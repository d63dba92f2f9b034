"""A note: something that is agreed on beside the play."""

from dataclasses import dataclass

from ledger.game.notation import read_note
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, EventSchema
from ledger.recorder.parts import player
from ledger.recorder.problems import unreadable
from ledger.recorder.schemas import fields
from ledger.recorder.schemas.texts import REASON_CHARACTERS
from ledger.recorder.state import NightState


class NoteSchema(EventSchema):
    """Something that is agreed on beside the play, as the replay notation says it."""

    kind = fields.Kind("note")
    note = fields.TypedText(REASON_CHARACTERS, "kneels p2 until-first", required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """Something that is agreed on beside the play: who kneels, who owes a card."""

    kind = "note"
    schema = NoteSchema()

    note: str

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
