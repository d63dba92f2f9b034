"""Long lists, of which a page shows a part, with links to the parts before and after it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from flask import request

from ledger.web.request_body import whole_number

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class ListPart(Generic[_Item]):
    """A part of a list."""

    items: Sequence[_Item]
    first: int
    """The number of its first item in the whole list, from 1."""
    total: int
    """How many items the whole list has."""
    before: str
    """The address of this page with the part before this one; empty on the first."""
    after: str
    """The address of this page with the next part; empty on the last."""

    @property
    def last(self) -> int:
        """The number of its last item in the whole list."""
        return self.first + len(self.items) - 1


def part_of(whole: Sequence[_Item], name: str, most: int, keeping: Iterable[str] = ()) -> ListPart[_Item]:
    """The part of a list that the request's address asks for by its number, `?NAME=2`: at most so many items. An
    address without such a number asks for the first part, one with too great a number for the last.

    The links lead to the element of the page whose id is `name`, and keep the parameters of the address that
    `keeping` names.
    """
    last = max(0, len(whole) - 1) // most + 1
    number = min(max(1, whole_number(request.args.get(name, "")) or 1), last)
    first = (number - 1) * most
    others = {key: request.args[key] for key in keeping if key != name and key in request.args}

    def address(number: int) -> str:
        asked = urlencode(others | ({name: number} if number > 1 else {}))
        return f"{request.path}{'?' if asked else ''}{asked}#{name}"

    return ListPart(
        items=whole[first : first + most],
        first=first + 1,
        total=len(whole),
        before=address(number - 1) if number > 1 else "",
        after=address(number + 1) if number < last else "",
    )
