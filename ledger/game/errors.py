"""What the rules refuse: one list of codes, in order of precedence, and the facts that go with a refusal."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What the rules say of a move."""

    LEGAL = "legal"
    IRREGULAR = "irregular"
    """Against the rules, yet it can have happened: it may stand."""
    IMPOSSIBLE = "impossible"
    """Cannot have happened: an earlier entry, or this one, is wrong."""


class Code(StrEnum):
    """Why a move is refused. Where several apply, the first in this list is reported."""

    NO_ROUND = "no-round"
    ROUND_RUNNING = "round-running"
    NOT_SEATED = "not-seated"
    WRONG_SEAT_COUNT = "wrong-seat-count"
    ROUND_OVER = "round-over"
    ROUND_NOT_OVER = "round-not-over"
    CARD_TWICE = "card-twice"
    CARD_ALREADY_PLAYED = "card-already-played"
    TOO_MANY_CARDS = "too-many-cards"
    NOT_IN_ROUND = "not-in-round"
    NOT_A_COMBINATION = "not-a-combination"
    LOCKED_OUT = "locked-out"
    NOT_YOUR_TURN = "not-your-turn"
    MUST_OPEN_LOWEST = "must-open-lowest"
    DOES_NOT_BEAT = "does-not-beat"
    PASS_ON_EMPTY_PILE = "pass-on-empty-pile"
    OPENING_FORM = "opening-form"
    SUIT_LOCKED = "suit-locked"
    LAST_CARD_TWO = "last-card-two"
    WRONG_LEADER = "wrong-leader"
    NO_SUCH_CONTRACT = "no-such-contract"
    CONTRACT_TOO_LATE = "contract-too-late"
    RESULT_INCOMPLETE = "result-incomplete"
    RESULT_CONTRADICTED = "result-contradicted"
    CLAIM_COUNT = "claim-count"
    CLAIM_TOO_LATE = "claim-too-late"
    NOT_AN_INSTANT_WIN = "not-an-instant-win"
    SHOWN_COUNT = "shown-count"
    SHOWN_ALREADY_PLAYED = "shown-already-played"
    DECLARATION_CONTRADICTED = "declaration-contradicted"
    TOO_MANY_ENTRIES = "too-many-entries"
    TOO_MANY_ROUNDS = "too-many-rounds"
    HANDS_MISSING = "hands-missing"


class Notice(StrEnum):
    """What the rules notice without refusing anything: findings that are no move's fault."""

    OPENING_NOT_LOWEST = "opening-not-lowest"
    UNCLAIMED_INSTANT_WIN = "unclaimed-instant-win"
    CLAIMED_WHILE_OWING = "claimed-while-owing"
    NOTHING_TO_LOCK = "nothing-to-lock"


class Clause(StrEnum):
    """What a clause is about. A ruleset's own prefix before it makes the id: `S-PASS`."""

    RANK = "RANK"
    DEAL = "DEAL"
    COMBO = "COMBO"
    COMPARE = "COMPARE"
    BOMB = "BOMB"
    OPEN = "OPEN"
    LEAD = "LEAD"
    PASS = "PASS"
    PILE = "PILE"
    LATE = "LATE"
    FORWARD = "FORWARD"
    SUIT_LOCK = "SUIT-LOCK"
    TRUMP = "TRUMP"
    DRAW = "DRAW"
    OUT = "OUT"
    KNOCK = "KNOCK"
    END = "END"
    PLACE = "PLACE"
    FULL = "FULL"
    SPECIAL = "SPECIAL"
    CHOP = "CHOP"
    CHOP_OUT = "CHOP-OUT"
    HOARD = "HOARD"
    CARDS = "CARDS"
    GET_IN = "GET-IN"
    LAST_CARD = "LAST-CARD"
    CONTRACT = "CONTRACT"
    CUSTOM = "CUSTOM"
    INSTANT = "INSTANT"
    SEEN = "SEEN"
    REST = "REST"
    SHOW = "SHOW"
    MISSED = "MISSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A move that the rules refuse, with the facts that a sentence about it needs.

    Cards are texts, low to high. Players are numbers from 0; moves count from 1 within the round.
    """

    code: Code
    verdict: Verdict
    clause: str
    player: int | None = None
    offered: tuple[str, ...] = ()
    """The cards of the refused move."""
    top: tuple[str, ...] = ()
    """What lay on the table: the last play of the pile, if one is in progress."""
    card: str | None = None
    """The card that the refusal turns on."""
    move: int | None = None
    """The earlier move that the refused one contradicts."""
    holder: int | None = None
    """Whose move that was."""
    expected: tuple[int, ...] = ()
    """Who was to act; whose hand is missing; for a header, who leads (empty: the lowest card opens)."""
    count: int | None = None
    """How many cards (or seats) it should have been; of somebody who is not in the night, how many are; how many
    entries or rounds there may be."""
    counts: tuple[int, ...] = ()
    """How many may sit in a round."""
    follows: bool = False
    """Whether it would be high enough, but is not of the suits that it had to follow."""
    beatable: bool = False
    """Whether something beats what lies on the table without being called a bomb."""
    bombable: bool = False
    """Whether a bomb of the table's rules beats what lies on the table."""
    suits: int = 0
    """The rule about suits (a `SuitRule`) that what is higher than a bomb on the table must keep."""


HEADER = -1
"""The index of a round's header, which comes before its moves."""


class Refused(Exception):
    """Raised where the rules refuse a move or a header.

    `index` counts the moves of the call that raised, from 0, the header before them; `number` is the move's
    number in its round, from 1, or 0 for a header.
    """

    def __init__(self, refusal: Refusal, *, index: int = 0, number: int = 0) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.index = index
        self.number = number


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the rules noticed and the record keeps; it never moves a point.

    `move` is the move that showed it, from 1; 0 stands for the round's header. `facts` is the refusal
    that stood, or for a notice the facts that its sentence needs.
    """

    code: Code | Notice
    clause: str
    move: int
    player: int | None = None
    cards: tuple[str, ...] = ()
    facts: Refusal | None = None
