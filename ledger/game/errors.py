"""Refusals: one list of codes, in order of precedence, and the facts that explain each."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How the rules judge a move."""

    LEGAL = "legal"
    IRREGULAR = "irregular"
    """Against the rules, but possible: the table may let it stand."""
    IMPOSSIBLE = "impossible"
    """Cannot have happened: this entry or an earlier one is wrong."""


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
    COVER_CONTRADICTED = "cover-contradicted"
    TOO_MANY_ENTRIES = "too-many-entries"
    TOO_MANY_ROUNDS = "too-many-rounds"
    HANDS_MISSING = "hands-missing"


class Detail(StrEnum):
    """Which case of its code a refusal is, where that changes what is to be said or done."""

    AT_MOST = "at most"
    """Of a hand, as many cards may be shown as the player may have left, or fewer."""
    BOMB = "bomb"
    """The rules forbid it to bombs; or a bomb would be allowed."""
    CAPTURED = "captured"
    """The cards are those that a bomb took."""
    DEALT = "dealt"
    """The cards claimed are other ones than those dealt."""
    FORWARD = "forward"
    """The play continues a pile that its player has not won."""
    INSTANT_WIN = "instant win"
    """An instant win has ended the round."""
    ITSELF = "itself"
    """A player would pay for the same player."""
    KNOCKED_OUT = "knocked out"
    """The player is knocked out, or named as knocked out."""
    LEADING = "leading"
    """The pile is over, and another player leads the next."""
    LOWER = "lower"
    """Another play of the same kind is higher."""
    LOWEST = "lowest"
    """The lowest card opens."""
    NIGHT = "night"
    """The player is not one of the night."""
    NO_BOMB = "no bomb"
    """A bomb that does not beat what lies there."""
    NOBODY = "nobody"
    """Nobody else could hold the card."""
    NOT_SPECIAL = "not special"
    """The cards are no special set."""
    NOTHING = "nothing"
    """What lies there is no combination."""
    OUT = "out"
    """The player has no cards left."""
    PASS = "pass"
    """The move is a pass."""
    PLAYING = "playing"
    """Players still hold cards, and may play."""
    RECORDED = "recorded"
    """The recorded moves say otherwise."""
    REST = "rest"
    """The hand is what is left of the deck."""
    SUITS = "suits"
    """The play is high enough, but not of the suits that it must follow."""
    SUITS_OR_BOMB = "suits or bomb"
    """The same, where a bomb would do too."""
    TOO_MANY = "too many"
    """More cards than the player holds."""
    TWICE = "twice"
    """A player is named twice, or nobody is."""
    UNKNOWN = "unknown"
    """It is not known who had played nothing."""
    VOID = "void"
    """The round does not count."""


class Notice(StrEnum):
    """Codes of findings that are not refused moves."""

    OPENING_NOT_LOWEST = "opening-not-lowest"
    UNCLAIMED_INSTANT_WIN = "unclaimed-instant-win"
    CLAIMED_WHILE_OWING = "claimed-while-owing"
    NOTHING_TO_LOCK = "nothing-to-lock"


class Clause(StrEnum):
    """The topic of a clause. A ruleset's prefix and the topic make the clause's id: `S-PASS`."""

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
    COVER = "COVER"
    CONTRACT = "CONTRACT"
    CUSTOM = "CUSTOM"
    INSTANT = "INSTANT"
    SEEN = "SEEN"
    REST = "REST"
    SHOW = "SHOW"
    MISSED = "MISSED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why the rules refuse a move, with the facts that a message about it needs.

    Cards are texts, low to high. Players are numbers from 0; moves count from 1 within the round.
    """

    code: Code
    verdict: Verdict
    clause: str
    player: int | None = None
    offered: tuple[str, ...] = ()
    """The cards of the refused move."""
    top: tuple[str, ...] = ()
    """The cards of the last play on the table, while the round is in progress."""
    card: str | None = None
    """The card that causes the refusal."""
    move: int | None = None
    """The earlier move that the refused one contradicts."""
    holder: int | None = None
    """The player of that move."""
    expected: tuple[int, ...] = ()
    """The player to act; players whose hand or place is missing; the leader due (none: the lowest card opens)."""
    count: int | None = None
    """The number of cards or seats required; the number of players in the night, if the player is not one of them;
    the most entries or rounds allowed."""
    counts: tuple[int, ...] = ()
    """The numbers of players that a round may have."""
    detail: Detail | None = None
    """Which case of the code it is, if it has several."""
    on: str = ""
    """The pattern that a higher play must form, as in a `rule` line; empty if none would be higher."""
    beatable: bool = False
    """Whether something other than a bomb of another pattern beats the top play."""
    bombable: bool = False
    """Whether a bomb of another pattern beats the top play."""


class Refused(Exception):
    """Raised if the rules refuse a move or a header.

    `index` is the move's position in the call that raised, from 0, or None for a header; `number` is the move's
    number in its round, from 1, or 0 for a header.
    """

    def __init__(self, refusal: Refusal, *, index: int | None = 0, number: int = 0) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.index = index
        self.number = number


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the rules noticed; it never changes a payment.

    `move` is the number of the move that revealed it, from 1, or 0 for the round's header. `facts` is the refusal
    that stood; None for a notice.
    """

    code: Code | Notice
    clause: str
    move: int
    player: int | None = None
    cards: tuple[str, ...] = ()
    facts: Refusal | None = None
