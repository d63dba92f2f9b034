"""What the pages' forms say, as the interface's own requests: the schemas that judge those judge these too."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, cast
from uuid import UUID, uuid5

from ledger.game.cards import Card, Deck
from ledger.recorder import KINDS, EventRequest
from ledger.recorder.events.correction import ChangeData, ChangeSchema
from ledger.recorder.events.event import OF_EVERY_EVENT
from ledger.recorder.fields import Whole
from ledger.web.chosen_rules import TableRules
from ledger.web.preferences import speaker
from ledger.web.request_body import unreadable, whole_number
from ledger.web.schemas import event_request, load

Fields = Mapping[str, Sequence[str]]
NOTHING: Fields = MappingProxyType({})

_WHOLE = re.compile("-?[0-9]{1,9}")
_BETWEEN_CARDS = re.compile(r"[\s,]+")


def one(fields: Fields, name: str) -> str:
    """A field that is there once; empty where it is missing."""
    values = fields.get(name, ())
    if len(values) > 1:
        raise unreadable("each field once")
    return values[0].strip() if values else ""


def kind_of(fields: Fields) -> str:
    """Which button was pressed."""
    return one(fields, "stood") or one(fields, "kind")


def names(fields: Fields) -> list[str]:
    """The names that were typed, without the fields that were left empty."""
    return [name for name in map(str.strip, fields.get("players", ())) if name]


def rules(fields: Fields) -> TableRules:
    """The rules that were chosen, and the prices that were typed; what was left alone says nothing."""
    typed = ((path, _price(values)) for path, values in fields.items() if "." in path)
    lines = (*fields.get("rule", ()), *(f"{path}={text}" for path, text in typed if text))
    return TableRules(one(fields, "ruleset"), tuple(filter(None, lines)))


def _price(values: Sequence[str]) -> str:
    """A price as its `rule` line writes it; of a price by places all of them."""
    each = [value.strip().removeprefix("+").replace("\N{MINUS SIGN}", "-") for value in values]
    typed = [int(value) for value in each if _WHOLE.fullmatch(value)]
    if len(each) == len(typed) + 1 > 1 and "" in each:
        each[each.index("")] = str(-sum(typed))
    elif len(each) == len(typed) > 1:
        each = [str(number) for number in _signed(typed)]
    return "/".join(each) if any(each) else ""


def _signed(places: list[int]) -> list[int]:
    """What places come to. Where no sign was typed, the last ones pay what the first ones win: not every phone's
    keys for numbers have a minus."""
    for won in range(1, len(places)):
        if min(places) >= 0 and sum(places[:won]) == sum(places[won:]):
            return [*places[:won], *(-points for points in places[won:])]
    return places


def move(fields: Fields) -> EventRequest:
    """What the table's form asks to be recorded."""
    kind = kind_of(fields)
    if kind in ("pass", "pass-all") and not one(fields, "stood"):
        return _passes(fields, kind)
    content: dict[str, Any] = {"stood": True} if one(fields, "stood") else {}
    kind, _, contract = kind.partition(" ")
    if kind == "contract":
        return request(fields, kind, seat=one(fields, "seat"), contract=contract)
    if kind == "forward":
        kind, content["forward"] = "play", True
    if kind == "play" and (locks := one(fields, "locks")):
        content["locks"] = locks == "yes"
    if kind in ("play", "claim"):
        content |= {"seat": one(fields, "seat"), "cards": list(fields.get("cards", ()))}
    if kind == "pass":
        content["seat"] = one(fields, "seat")
    if kind == "play" and content.get("stood") and (passed := one(fields, "passed")):
        content["passed"] = passed.split()
    return request(fields, kind, **content)


def _passes(fields: Fields, kind: str) -> EventRequest:
    """The passes of all who were waiting, as far as the chosen one."""
    waiting, seat = one(fields, "others").split(), one(fields, "seat")
    if kind == "pass":
        waiting = waiting[: waiting.index(seat) + 1] if seat in waiting else [seat]
    if not waiting:
        raise unreadable("players who pass")
    *passed, last = waiting
    return request(fields, "pass", seat=last, **({"passed": passed} if passed else {}))


def round_header(fields: Fields) -> EventRequest:
    """A round to be begun: who leads, and who sits in, in playing order."""
    return request(fields, "round", **beginning(fields))


def beginning(fields: Fields) -> dict[str, object]:
    """What the entry of a round's beginning says."""
    content: dict[str, object] = {"stood": True} if one(fields, "stood") else {}
    leader = one(fields, "leader")
    content |= {"leader": leader} if leader else {"opening": True}
    if seats := [seat for seat in fields.get("seats", ()) if seat]:
        content["seats"] = seats
    return content


def in_a_row(fields: Fields, asked: Sequence[tuple[str, Mapping[str, Any]]]) -> list[EventRequest]:
    """What a form asks to be recorded together: events by their kind and what they say, each after the one before.

    Their ids are those that a script has made for them, in their order; without any, the first has the form's own
    and the others' follow from it, so that a form sent twice records once.
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
    """What is paid beside the places: a bomb that took somebody's cards, or cards that somebody was left with."""

    what: str
    """`bomb` or `left`."""
    who: str
    whom: str
    cards: list[str]

    @property
    def whole(self) -> bool:
        """Whether nothing of it is missing."""
        return bool(self.who and self.cards and (self.whom or self.what == "left"))

    @property
    def blank(self) -> bool:
        """Whether nothing of it was filled in."""
        return not (self.who or self.whom or self.cards)

    @property
    def text(self) -> str:
        """As a field of the form says it: `bomb p1 p2 2d`, `left p4 2s`."""
        return " ".join([self.what, self.who, *([self.whom] if self.what == "bomb" else []), *self.cards])


@dataclass(frozen=True, slots=True)
class TypedResult:
    """How a round came out, as far as it was filled in."""

    places: list[str]
    knocked_out: list[str]
    extras: list[Extra]

    @property
    def content(self) -> dict[str, object]:
        """What the entry of a result says; what was left in a hand is an entry of its own."""
        bombs = [
            {"seat": one.who, "beat": one.whom, "captured": one.cards}
            for one in self.extras
            if one.what == "bomb"
        ]
        return {"places": self.places, "knocked_out": self.knocked_out, "bombs": bombs}


def result(fields: Fields) -> TypedResult:
    """A result as it was filled in, with the line that is being filled in if it says anything."""
    typed = extra_in_hand(fields)
    return TypedResult(
        list(fields.get("places", ())),
        list(fields.get("knocked_out", ())),
        [*map(_extra, fields.get("extra", ())), *([] if typed.blank else [typed])],
    )


def extra_in_hand(fields: Fields) -> Extra:
    """The line beside the places that is being filled in."""
    what = "left" if one(fields, "what") == "left" else "bomb"
    whom = one(fields, "whom") if what == "bomb" else ""
    return Extra(what, one(fields, "who"), whom, list(fields.get("cards", ())))


def _extra(text: str) -> Extra:
    """A line beside the places as the form says it."""
    what, *words = text.split() or [""]
    if what not in ("bomb", "left") or len(words) < (3 if what == "bomb" else 2):
        raise unreadable("a button of the form")
    who, *words = words
    return Extra(what, who, words.pop(0) if what == "bomb" else "", words)


def cards_typed(text: str) -> list[str]:
    """Cards typed by the letters of the page, `2r, 10c`, each as the notation writes it if it is one."""
    return [speaker().card_typed(word) for word in _BETWEEN_CARDS.split(text) if word]


def wrong_card(words: Iterable[str], deck: Deck) -> str:
    """The first word that is no card of the deck, or one card too many; empty if there is none."""
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
    """The sentence for somebody who typed a word that is no card."""
    words = speaker()
    sentence = words.gettext(
        "%(card)s is no card of this deck, or stands here twice. Write cards such as %(example)s."
    )
    return sentence % {"card": words.word_or_card(word), "example": words.cards_to_type(["2d", "2h"])}


def change(fields: Fields) -> ChangeData:
    """The change that a correction's form describes: an entry replaced or struck, or one put in before it."""
    target, how, kind = one(fields, "target"), one(fields, "how"), one(fields, "entry")
    if how == "strike":
        return {"target": target, "with": None}
    cards, seat = list(fields.get("cards", ())), one(fields, "seat")
    content: dict[str, Any] = {"kind": kind, "seat": seat}
    leader, sitting = one(fields, "leader"), [player for player in fields.get("seats", ()) if player]
    match kind:
        case "play" | "claim" | "show" | "declare":
            content["cards"] = cards
        case "result":
            content = {"kind": kind, **result(fields).content}
        case "round":
            content = {"kind": kind, "seats": sitting} | ({"leader": leader} if leader else {"opening": True})
        case _:
            pass
    if one(fields, "stood") and kind in ("play", "pass", "claim", "round"):
        content["stood"] = True
    return {"before": target, "with": content} if how == "before" else {"target": target, "with": content}


def changes(fields: Fields) -> list[ChangeData]:
    """The changes that a correction's form carries along from its earlier pages."""
    try:
        found = [json.loads(text) for text in fields.get("change", ())]
    except (ValueError, RecursionError):
        raise unreadable("JSON") from None
    if not all(isinstance(one, dict) for one in found):
        raise unreadable("a JSON object")
    return [cast(ChangeData, load(ChangeSchema(), one)) for one in found]


def hand(fields: Fields, round: int) -> EventRequest:
    """What a player still holds when the round has ended: shown, declared, or nothing worth declaring."""
    kind, cards = kind_of(fields), list(fields.get("cards", ()))
    seat = one(fields, "seat")
    match kind:
        case "show" | "declare":
            return request(fields, kind, seat=seat, round=round, cards=cards)
        case "none":
            return request(fields, "declare", seat=seat, round=round, sets=[])
        case "settle":
            return request(fields, "settle", round=round)
        case _:
            return request(fields, kind)


def event(fields: Fields, kind: str, **known: object) -> EventRequest:
    """An event whose fields a form has by their names, with what is `known` from the page's address. What the
    kind has no field for is left out."""
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
    """A seat's agreement with some rounds, each of which the form gives an id."""
    asked = zip_longest(fields.get("id", ()), fields.get("rounds", ()), fillvalue="")
    return [event({**fields, "id": (id,), "round": (number,)}, "confirm") for id, number in asked]


def _whole(fields: Fields, name: str) -> int | str:
    """A field of a form, as a number if it is one."""
    typed = one(fields, name)
    number = whole_number(typed)
    return typed if number is None else number


def request(fields: Fields, kind: str, **content: object) -> EventRequest:
    """An event with the id of its form; a Problem with status 400 lists the fields that are wrong."""
    return event_request({"id": one(fields, "id"), "after": one(fields, "after"), "kind": kind, **content})
