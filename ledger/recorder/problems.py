"""Why a use case was not carried out. After a Problem nothing was recorded."""

from enum import StrEnum
from typing import Any

from ledger.game.errors import Refusal


class ProblemCode(StrEnum):
    """Problems that do not come from the rules of the game; refusals by the rules have their own codes."""

    UNREADABLE = "unreadable"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not-found"
    STALE = "stale"
    NIGHT_EXISTS = "night-exists"
    NAME_TAKEN = "name-taken"
    TOO_MANY_PLAYERS = "too-many-players"
    TOO_MANY_REVOCATIONS = "too-many-revocations"
    GROUP_FULL = "group-full"
    SAT_TOGETHER = "sat-together"
    NIGHT_ENDED = "night-ended"
    NIGHT_NOT_ENDED = "night-not-ended"
    ROUND_SETTLED = "round-settled"
    ROUND_VOID = "round-void"
    ROUND_NOT_SETTLED = "round-not-settled"
    UNSETTLED_ROUND = "unsettled-round"
    NO_SUCH_ENTRY = "no-such-entry"
    ALREADY_CORRECTED = "already-corrected"
    HEADER_HAS_MOVES = "header-has-moves"
    NOTHING_CORRECTED = "nothing-corrected"
    ALREADY_CONFIRMED = "already-confirmed"
    ALREADY_DISPUTED = "already-disputed"
    ALREADY_DECIDED = "already-decided"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REDO = "nothing-to-redo"
    ID_REUSED = "id-reused"
    ENTRY_UNREADABLE = "entry-unreadable"
    REFUSED = "refused"


_STATUS: dict[str, int] = {
    ProblemCode.UNREADABLE: 400,
    ProblemCode.UNAUTHORIZED: 401,
    ProblemCode.FORBIDDEN: 403,
    ProblemCode.NOT_FOUND: 404,
    ProblemCode.ID_REUSED: 422,
    ProblemCode.ENTRY_UNREADABLE: 422,
    ProblemCode.NO_SUCH_ENTRY: 422,
    ProblemCode.HEADER_HAS_MOVES: 422,
    ProblemCode.REFUSED: 422,
}


class Problem(Exception):
    """A request that was not carried out.

    `status` is the HTTP status, 409 by default. `refusal` is set if the rules refused; `code` is then the
    refusal's. `facts` are the plain values and views that its message needs.
    """

    def __init__(
        self, code: str, *, status: int | None = None, refusal: Refusal | None = None, **facts: Any
    ) -> None:
        super().__init__(code)
        self.status = status or _STATUS.get(code, 409)
        self.refusal = refusal
        self.code: str = refusal.code if refusal else code
        self.clause = refusal.clause if refusal else None
        self.facts = facts


def refused(refusal: Refusal, **facts: Any) -> Problem:
    """The problem for a refusal by the rules, with what else is known of it."""
    return Problem(ProblemCode.REFUSED, refusal=refusal, **facts)


def unreadable(field: str, expected: str) -> Problem:
    """The problem for one invalid field of a request."""
    return Problem(ProblemCode.UNREADABLE, fields={field: [expected]})
