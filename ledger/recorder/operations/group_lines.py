"""Groups in and out as lines of JSON, where the nights that are theirs are carried too: an entry a line.

{"line":"group","group":UUID,"seq":1,"kind":"named","night":null,"said":{"name":"Hội thứ sáu"},"at":TIME}
"""

from collections.abc import Iterable, Iterator
from typing import Final

from marshmallow import Schema, ValidationError
from marshmallow.fields import Dict, Enum, String
from marshmallow.validate import Equal

from ledger.recorder.fields import Request, Time, TypedText, Uuid, Whole, wrong_fields
from ledger.recorder.groups import MOST_ENTRIES, NAME, Entry, Kind, read_group
from ledger.recorder.recording import Recorder
from ledger.store import BodyUnreadable, LogUnreadable, read_object, write_text

FIRST: Final = '{"line":"group"'
"""What a file of groups begins with."""


class _Line(Request):
    line = String(required=True, validate=Equal("group"))
    group = Uuid(required=True)
    seq = Whole(1, MOST_ENTRIES, required=True)
    kind = Enum(Kind, by_value=True, required=True)
    night = Uuid(required=True, allow_none=True)
    said = Dict(required=True)
    at = Time(required=True)


class _Named(Request):
    name = TypedText(NAME.characters, "Hội thứ sáu", required=True)


class _Joined(Request):
    player = String(required=True)
    same = String(required=True)


class _Parted(Request):
    seq = Whole(1, MOST_ENTRIES, required=True)


_LINE: Final = _Line()
_SAID: Final[dict[Kind, Schema]] = {Kind.NAMED: _Named(), Kind.JOINED: _Joined(), Kind.PARTED: _Parted()}
_NOTHING: Final = Request()


def export_groups(recorder: Recorder) -> Iterator[str]:
    """Every group of an installation, a line for each entry."""
    with recorder.store.reading() as reader:
        groups = [read_group(reader, id) for id in reader.groups()]
    for group in groups:
        for entry in group.entries:
            yield write_text({"line": "group", "group": group.id, **_LINE.dump(entry)})


def read_groups(lines: Iterable[str]) -> dict[str, list[Entry]]:
    """The entries of each group of a file. Raises LogUnreadable at the first line that is none."""
    found: dict[str, list[Entry]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            read = _LINE.load(read_object(line))
            said = _SAID.get(read["kind"], _NOTHING).load(read["said"])
        except ValidationError as error:
            wrong = "; ".join(f"{name}: {', '.join(what)}" for name, what in wrong_fields(error).items())
            raise LogUnreadable(number, wrong) from None
        except BodyUnreadable as error:
            raise LogUnreadable(number, f"no JSON: {error}") from None
        entry = Entry(read["seq"], read["kind"], read["night"], said, read["at"])
        found.setdefault(read["group"], []).append(entry)
    return found
