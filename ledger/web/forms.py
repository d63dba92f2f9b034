"""Converts the fields of HTML forms to requests of the API, which the API's schemas validate."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Any, cast
from uuid import UUID, uuid5

from ledger.game.cards import Card, Deck
from ledger.game.rulesets.overlays.prices import SHEETS
from ledger.recorder import KINDS, EventRequest
from ledger.recorder.events.correction import ChangeData, ChangeSchema
from ledger.recorder.events.event import OF_EVERY_EVENT
from ledger.recorder.fields import Whole
from ledger.web.chosen_rules import TableRules
from ledger.web.preferences import speaker
from ledger.web.request_body import unreadable, whole_number
from ledger.web.schemas import QUEUED_FORM, QueuedForm, event_request, load

Fields = Mapping[str, Sequence[str]]
NOTHING: Fields = MappingProxyType({})

_WHOLE = re.compile("-?[0-9]{1,9}")
_BETWEEN_CARDS = re.compile(r"[\s,]+")
_OF_A_QUEUE = QueuedForm()


def one(fields: Fields, name: str) -> str:
    """The value of a field, empty if it is missing. Raises a Problem if it is repeated."""
    values = fields.get(name, ())
    if len(values) > 1:
        raise unreadable("each field once")
    return values[0].strip() if values else ""


def kind_of(fields: Fields) -> str:
    """The value of the button that was pressed."""
    return one(fields, "stood") or one(fields, "kind")


def names(fields: Fields) -> list[str]:
    """The players' names that were typed, without empty fields."""
    return [name for name in map(str.strip, fields.get("players", ())) if name]


def rules(fields: Fields) -> TableRules:
    """The rules that were chosen and the prices that were typed, without empty fields."""
    typed = ((path, _price(path, values)) for path, values in fields.items() if "." in path)
    lines = (*fields.get("rule", ()), *(f"{path}={text}" for path, text in typed if text))
    return TableRules(one(fields, "ruleset"), tuple(filter(None, lines)))


def _price(path: str, values: Sequence[str]) -> str:
    """A price as its `rule` line writes it, places joined by `/`; a single empty place balances the others. On the
    sheet beside the money an empty place scores nothing."""
    each = [value.strip().removeprefix("+").replace("\N{MINUS SIGN}", "-") for value in values]
    typed = [int(value) for value in each if _WHOLE.fullmatch(value)]
    if path.startswith(SHEETS):
        each = [value or "0" for value in each] if any(each) else []
    elif len(each) == len(typed) + 1 > 1 and "" in each:
        each[each.index("")] = str(-sum(typed))
    elif len(each) == len(typed) > 1:
        each = [str(number) for number in _signed(typed)]
    return "/".join(each) if any(each) else ""


def _signed(places: list[int]) -> list[int]:
    """Prices by place with their signs. If none was typed and they balance, the last places pay what the first win:
    the number keys of some phones have no minus."""
    for won in range(1, len(places)):
        if min(places) >= 0 and sum(places[:won]) == sum(places[won:]):
            return [*places[:won], *(-points for points in places[won:])]
    return places


def content_of(fields: Fields) -> dict[str, Any]:
    """The kind and the content of the event that the pressed button of a form records, as a request of the API has
    them. Those of forms that record several events or a correction are made by their pages."""
    kind, _, contract = kind_of(fields).partition(" ")
    seat, cards = one(fields, "seat"), list(fields.get("cards", ()))
    stood: dict[str, object] = {"stood": True} if one(fields, "stood") else {}
    round: dict[str, object] = {"round": _whole(fields, "round")} if "round" in fields else {}
    match kind:
        case "round":
            return {"kind": kind, **beginning(fields)}
        case "play" | "forward":
            return {"kind": "play", "seat": seat, "cards": cards, **_of_play(fields, kind), **stood}
        case "claim":
            return {"kind": kind, "seat": seat, "cards": cards, **stood}
        case "pass" | "pass-all":
            return {"kind": "pass", "seat": seat, **stood} if stood else _passes(fields, kind)
        case "contract":
            return {"kind": kind, "seat": seat, "contract": contract}
        case "show" | "declare" | "none":
            return {"kind": "declare" if kind == "none" else kind, "seat": seat, **round, "cards": cards}
        case "cover":
            covering = {"covered": covered(fields), "why": one(fields, "why")}
            return {"kind": kind, "seat": one(fields, "payer"), **round, **covering}
        case "settle":
            return {"kind": kind, **round}
        case "result":
            return {"kind": kind, **result(fields).content}
        case "note":
            return {"kind": kind, "note": one(fields, "due") or note(fields).line}
        case _:
            return {"kind": kind}


def _of_play(fields: Fields, kind: str) -> dict[str, object]:
    """What a play's form says besides its player and cards; who passed before it only if the table accepts it."""
    details: dict[str, object] = {"forward": True} if kind == "forward" else {}
    if locks := one(fields, "locks"):
        details["locks"] = locks == "yes"
    if one(fields, "stood") and (passed := one(fields, "passed")):
        details["passed"] = passed.split()
    return details


def _passes(fields: Fields, kind: str) -> dict[str, object]:
    """One event for the passes of the waiting players: up to the chosen one, or of all."""
    waiting, seat = one(fields, "others").split(), one(fields, "seat")
    if kind == "pass":
        waiting = waiting[: waiting.index(seat) + 1] if seat in waiting else [seat]
    if not waiting:
        raise unreadable("players who pass")
    *passed, last = waiting
    return {"kind": "pass", "seat": last, **({"passed": passed} if passed else {})}


def event_in_body(body: Mapping[str, object]) -> EventRequest:
    """The event in the body of a request of the API, or the one of the form that the body has in its place: phones
    queue forms. Raises a Problem with status 400 that lists the wrong fields."""
    if body.get("kind") != QUEUED_FORM:
        return event_request(body)
    form = load(_OF_A_QUEUE, body)["form"]
    others = {name: value for name, value in body.items() if name not in ("form", "kind")}
    return event_request({**others, **content_of(form)})


def beginning(fields: Fields) -> dict[str, object]:
    """The content of the event that begins a round: the leader, the seats in playing order, and the factor of its
    payments."""
    content: dict[str, object] = {"stood": True} if one(fields, "stood") else {}
    leader = one(fields, "leader")
    content |= {"leader": leader} if leader else {"opening": True}
    if seats := [seat for seat in fields.get("seats", ()) if seat]:
        content["seats"] = seats
    return content | _times(fields)


def times(fields: Fields) -> str:
    """The factor of a round's payments, the greatest that was chosen; empty if none was."""
    return max(fields.get("times", ()), key=lambda text: (len(text), text), default="")


def _times(fields: Fields) -> dict[str, object]:
    number = whole_number(times(fields))
    return {"times": times(fields) if number is None else number} if times(fields) else {}


def in_a_row(fields: Fields, asked: Sequence[tuple[str, Mapping[str, Any]]]) -> list[EventRequest]:
    """The events that a form records together, from pairs of a kind and its content, each after the one before.

    Their ids are those of the field `ids`, which a script fills in. Without them the first has the form's own id
    and the others' are derived from it, so that a form sent twice records once.
    """
    made: list[EventRequest] = []
    given = fields.get("ids", ())
    for number, (kind, content) in enumerate(asked):
        own = str(uuid5(UUID(made[0].id), str(number))) if made else one(fields, "id")
        id = given[number] if number < len(given) else own
        after = made[-1].id if made else one(fields, "after")
        made.append(event_request({"id": id, "after": after, "kind": kind, **content}))
    return made


@dataclass(frozen=True, slots=True)
class Extra:
    """A payment in addition to the places: a bomb that captured cards, or cards left in a hand."""

    what: str
    """`bomb` or `left`."""
    who: str
    whom: str
    cards: list[str]

    @property
    def whole(self) -> bool:
        """Whether every part is filled in."""
        return bool(self.who and self.cards and (self.whom or self.what == "left"))

    @property
    def blank(self) -> bool:
        """Whether no part is filled in."""
        return not (self.who or self.whom or self.cards)

    @property
    def text(self) -> str:
        """The value of its form field: `bomb p1 p2 2d`, `left p4 2s`."""
        return " ".join([self.what, self.who, *([self.whom] if self.what == "bomb" else []), *self.cards])


@dataclass(frozen=True, slots=True)
class TypedResult:
    """The result of a round, as far as the form is filled in."""

    places: list[str]
    knocked_out: list[str]
    extras: list[Extra]

    @property
    def content(self) -> dict[str, object]:
        """The content of the result event; cards left in a hand are an event of their own."""
        bombs = [
            {"seat": one.who, "beat": one.whom, "captured": one.cards}
            for one in self.extras
            if one.what == "bomb"
        ]
        return {"places": self.places, "knocked_out": self.knocked_out, "bombs": bombs}


def result(fields: Fields) -> TypedResult:
    """The result in the form, with the extra payment that is being filled in unless it is blank."""
    typed = extra_being_typed(fields)
    return TypedResult(
        list(fields.get("places", ())),
        list(fields.get("knocked_out", ())),
        [*map(_extra, fields.get("extra", ())), *([] if typed.blank else [typed])],
    )


def extra_being_typed(fields: Fields) -> Extra:
    """The extra payment that is being filled in."""
    what = "left" if one(fields, "what") == "left" else "bomb"
    whom = one(fields, "whom") if what == "bomb" else ""
    return Extra(what, one(fields, "who"), whom, list(fields.get("cards", ())))


def _extra(text: str) -> Extra:
    """Read an extra payment from the value of its form field."""
    what, *words = text.split() or [""]
    if what not in ("bomb", "left") or len(words) < (3 if what == "bomb" else 2):
        raise unreadable("a button of the form")
    who, *words = words
    return Extra(what, who, words.pop(0) if what == "bomb" else "", words)


NOTE_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "deals": ("player",),
        "kneels": ("player", "until"),
        "sits": ("player",),
        "owes": ("player", "other", "count", "card"),
        "gives": ("player", "other", "cards"),
        "swaps": ("player", "other"),
        "clears": ("player", "clearing"),
    }
)
"""Kind of note -> the fields of its words, in the order of the notation; cards come last, a word each."""

NOTE_FIELDS = ("note", "player", "other", "count", "card", "until", "clearing", "cards")
"""The fields of a note's form; its kind is in `note`."""


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note by its kind and that kind's words; from a form, it is not yet validated."""

    kind: str
    player: str = ""
    other: str = ""
    count: str = ""
    card: str = ""
    until: str = ""
    clearing: str = ""
    cards: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The note in the notation, as an event has it."""
        fields = (getattr(self, name) for name in NOTE_WORDS.get(self.kind, ()))
        return " ".join(chain((self.kind,), *((one,) if isinstance(one, str) else one for one in fields)))


def note(fields: Fields) -> NoteView:
    """The note of a form's fields, its cards in the notation."""
    typed = {name: one(fields, name) for name in NOTE_FIELDS if name != "cards"}
    return NoteView(typed.pop("note"), **typed, cards=tuple(cards_typed(one(fields, "cards"))))


def cards_typed(text: str) -> list[str]:
    """Cards typed in the letters of the page's language (`2r, 10c`), in the notation; other words unchanged."""
    return [speaker().card_typed(word) for word in _BETWEEN_CARDS.split(text) if word]


def wrong_card(words: Iterable[str], deck: Deck) -> str:
    """The first word that is not a card of the deck, or repeats one too often; empty if there is none."""
    cards = []
    for word in words:
        try:
            cards.append(Card.read(word))
            twice = deck.gather(cards)[1]
        except ValueError:
            return word
        if twice:
            return word
    return ""


def no_card(word: str) -> str:
    """The message for a typed word that is not a card."""
    words = speaker()
    sentence = words.gettext(
        "%(card)s is no card of this deck, or stands here twice. Write cards such as %(example)s."
    )
    return sentence % {"card": words.word_or_card(word), "example": words.cards_to_type(["2d", "2h"])}


def change(fields: Fields) -> ChangeData:
    """The change in a correction's form: an entry replaced or struck, or a new one inserted before or after it."""
    target, how, kind = one(fields, "target"), one(fields, "how"), one(fields, "entry")
    if how == "strike":
        return {"target": target, "with": None}
    button = "forward" if kind == "play" and how == "replace" and one(fields, "forward") else kind
    stands = one(fields, "stood") and kind in ("play", "pass", "claim", "round")
    entry = {"kind": [button], "stood": [button] if stands else [], "payer": fields.get("seat", ())}
    # A play that is put in beside another does not lock the suit because the other did.
    content: Any = content_of({**fields, **entry, **({} if how == "replace" else {"locks": []})})
    if how == "after":
        return {"after": target, "with": content}
    return {"before": target, "with": content} if how == "before" else {"target": target, "with": content}


def changes(fields: Fields) -> list[ChangeData]:
    """The changes that a correction's form carries from its earlier pages."""
    try:
        found = [json.loads(text) for text in fields.get("change", ())]
    except (ValueError, RecursionError):
        raise unreadable("JSON") from None
    if not all(isinstance(one, dict) for one in found):
        raise unreadable("a JSON object")
    return [cast(ChangeData, load(ChangeSchema(), one)) for one in found]


def covered(fields: Fields) -> list[str]:
    """The chosen players whose payments another makes, without that player."""
    payer = one(fields, "payer") or one(fields, "seat")
    return [player for player in fields.get("covered", ()) if player != payer]


def event(fields: Fields, kind: str, **known: object) -> EventRequest:
    """An event from the form fields that its kind has, and the values `known` from the page's address. Others are
    ignored."""
    schema = KINDS[kind].schema.fields if kind in KINDS else {}
    typed = {
        name: _whole(fields, name) if isinstance(field, Whole) else one(fields, name)
        for name, field in schema.items()
        if name in fields and name not in OF_EVERY_EVENT
    }
    content = typed | {name: value for name, value in known.items() if name in schema and value is not None}
    if kind in KINDS and not KINDS[kind].depends_on_play():
        return event_request({"id": one(fields, "id"), "kind": kind, **content})
    return request(fields, kind, **content)


def confirmations(fields: Fields) -> list[EventRequest]:
    """A `confirm` event for each round in the form, with the id that the form has for it."""
    asked = zip_longest(fields.get("id", ()), fields.get("rounds", ()), fillvalue="")
    return [event({**fields, "id": (id,), "round": (number,)}, "confirm") for id, number in asked]


def _whole(fields: Fields, name: str) -> int | str:
    """The value of a field, as a number if it is one."""
    typed = one(fields, name)
    number = whole_number(typed)
    return typed if number is None else number


def request(fields: Fields, kind: str, **content: object) -> EventRequest:
    """An event with the form's `id` and `after`. Raises a Problem with status 400 that lists the wrong fields."""
    return event_request({"id": one(fields, "id"), "after": one(fields, "after"), "kind": kind, **content})


def pressed(fields: Fields) -> EventRequest:
    """The event that the pressed button of a form records. Raises a Problem like `request`."""
    return request(fields, **content_of(fields))
