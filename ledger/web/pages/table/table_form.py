"""The table as a form: for the running round, and for the next one, in case that begins without a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ledger.game.errors import Code
from ledger.game.moves import Play
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.game.rulesets.model import Direction, Ruleset
from ledger.language import Speaker
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import RoundView
from ledger.web import forms
from ledger.web.pages.shared.blueprint import Notice, address
from ledger.web.pages.table import table_view
from ledger.web.pages.table.result import takes_result
from ledger.web.preferences import phone, speaker

OUT_OF_ORDER = (Code.NOT_YOUR_TURN, Code.LOCKED_OUT, Code.DOES_NOT_BEAT, Code.PASS_ON_EMPTY_PILE)
"""Refusals that an earlier, forgotten move may explain."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """The proposal for the round after the one that the form records."""

    number: int
    seats: Sequence[str]
    turns: bool
    """Whether the direction of play alternates between rounds."""
    most: int
    """The most players of a round."""
    due: str | None
    """The leader by the rules, if known."""
    leader: str | None
    """The proposed leader; empty if one must be named; None if the lowest card opens."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A play that was probably meant by a refused one, as its button says it."""

    seat: str
    play: str
    passing: str
    """Who would pass before it, in a sentence; empty if nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """The form that records a round, with everything that was chosen."""

    ruleset: Ruleset
    names: Mapping[str, str]
    round: RoundView
    next: NextRound
    seats: list[table_view.Seat]
    grids: list[table_view.Grid]
    say: str = ""
    """A sentence about whose turn it is."""
    earlier: Sequence[EntryRow] = ()
    together: Sequence[table_view.Together] = ()
    blank: bool = False
    """Whether the seats are not known yet, so that a script makes them."""
    locks_said: str = ""
    takes_result: bool = False
    refusal: Notice | None = None
    instead: Sequence[Reading] = ()
    forgot: bool = False
    """Whether a forgotten move may explain the refusal."""
    passed: str = ""
    """The players who would have to pass before the refused play."""
    mend: str = ""
    """The address for correcting a move of the round; the script adds which."""
    count: str = ""
    """The address for counting a player's cards."""
    shown: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Card -> the number of the play that showed it, and its player."""

    @property
    def facts(self) -> object:
        """The data for the page's scripts: `TableFacts` of tests/javascript/model.d.ts."""
        round, deal, words, setting = self.round, self.ruleset.deal, speaker(), phone()
        return {
            "turn": round.turn or "",
            "last": round.pile[-1].player if round.pile else "",
            "leading": round.to != "answer",
            "waiting": round.waiting,
            "counts": self.ruleset.counts_turns,
            "draws": deal.draw_pile,
            "sleeps": setting.sleeps,
            "events": sorted({move.event for move in round.moves}),
            "alone": round.alone if setting.singles else [],
            "together": self.together,
            "mend": self.mend,
            "count": self.count,
            "moves": len(round.moves),
            "out_of_order": OUT_OF_ORDER,
            "shown": self.shown,
            "begun": self.next.number - 1,
            "names": self.names,
            "hands": {str(players): deal.hand_of(players) for players in deal.players},
            "seats": {
                seat.player: {
                    "playable": seat.playable.split(),
                    "left": seat.left,
                    "passes": round.passes.get(seat.player, []),
                    "gone": seat.gone,
                    "passed": seat.away and not seat.gone,
                }
                for seat in self.seats
            },
            "naming": table_view.naming(words),
            "letters": words.suit_keys(),
            "texts": _texts(words),
        }


def form_of_running(board: Board, running: Round, notice: Notice | None, fields: forms.Fields) -> TableForm:
    """The form of the running round."""
    round = board.round
    assert round is not None, "the one that runs"
    ruleset = running.ruleset
    seats = table_view.seats(round, board.names, next(iter(fields.get("seat", ())), None))
    chosen = next((seat for seat in seats if seat.checked), None)
    playable = [round.playable[chosen.player]] if chosen else round.playable.values()
    passed = ""
    if notice and notice.may_stand == "play" and notice.code != Code.NOT_YOUR_TURN and chosen:
        passed = " ".join(round.passes[chosen.player])
    return TableForm(
        ruleset=ruleset,
        names=board.names,
        round=round,
        next=_next(ruleset, round.number + 1, ruleset.deal.seats_after(tuple(round.seats)), None),
        seats=seats,
        grids=table_view.grids(
            board.deck,
            seen_counts=round.seen_counts,
            bright={card for cards in playable for card in cards},
            checked=fields.get("cards", ()),
        ),
        say=table_view.turn_sentence(round, board.names) if round.turn else _who_opens(speaker()),
        earlier=table_view.earlier(round),
        together=table_view.together(running),
        locks_said=next(iter(fields.get("locks", ())), ""),
        takes_result=takes_result(board),
        refusal=notice,
        instead=_readings(notice, fields, board) if notice else (),
        forgot=notice is not None and notice.code in OUT_OF_ORDER and bool(round.moves),
        passed=passed,
        mend=address("pages.mend", night=board.id, number=round.number),
        count=address("pages.round", night=board.id, number=round.number, count="yes", _anchor="count"),
        shown=shown_by(running),
    )


_FEW = 4
"""Of more cards a button that offers a play has the first and the last alone, as in saying.js."""


def _readings(notice: Notice, fields: forms.Fields, board: Board) -> list[Reading]:
    """What was probably meant by the refused play of a form; without a player, it may be anybody's."""
    words, cards = speaker(), fields.get("cards", ())
    if cards and not fields.get("seat") and board.round:
        gone = {*board.round.places, *board.round.knocked_out}
        return [Reading(seat, board.names[seat], "") for seat in board.round.seats if seat not in gone]
    to, passing = table_view.naming(words).to, _texts(words)["passing"]
    first_and_last = len(cards) > _FEW
    shown = f"{words.card(cards[0])} … {words.card(cards[-1])}" if first_and_last else words.cards(cards)
    found = []
    for one in notice.instead:
        skipped = ", ".join(board.names[seat] for seat in one["passes"])
        play = to.format(cards=shown, name=board.names[one["seat"]])
        found.append(Reading(one["seat"], play, passing.format(names=skipped) if skipped else ""))
    return found


def shown_by(round: Round) -> dict[str, tuple[int, str]]:
    """Card -> the number of the play that showed it, and its player."""
    plays = ((number, move) for number, move in enumerate(round.moves, start=1) if isinstance(move, Play))
    write = round.ruleset.deck.write
    return {card: (number, tag(play.player)) for number, play in plays for card in write(play.cards)}


def form_of_next(board: Board, ruleset: Ruleset, round: RoundView | None) -> TableForm | None:
    """The form of the next round before its first move; None while another round runs."""
    if round is None:
        return None
    first = table_view.seats(round, board.names)[0]
    return TableForm(
        ruleset=ruleset,
        names=board.names,
        round=round,
        next=_next(ruleset, round.number, round.seats, board.next.leader if board.next else None),
        seats=[replace(first, playable="", checked=False)],
        grids=table_view.grids(board.deck, bright=()),
        blank=True,
    )


def _next(ruleset: Ruleset, number: int, seats: Sequence[str], due: str | None) -> NextRound:
    return NextRound(
        number=number,
        seats=seats,
        turns=ruleset.deal.direction is Direction.ALTERNATING,
        most=max(ruleset.deal.players),
        due=due,
        leader=due or ("" if ruleset.opening.every_round else None),
    )


def _who_opens(words: Speaker) -> str:
    """What to tap first, while nobody's turn is known."""
    return words.gettext("Who has the lowest card? Tap it, then the name.")


def nothing(words: Speaker) -> str:
    """The question if cards are missing."""
    return words.gettext("Which cards? Tap them.")


def nobody(words: Speaker) -> str:
    """The question if a player is missing."""
    return words.gettext("Whose move is it? Tap the name.")


@cache
def _texts(words: Speaker) -> dict[str, str]:
    """The texts of the scripts, by purpose; the scripts fill in the names in braces."""
    gettext = words.gettext
    return {
        "next": gettext("%(name)s's turn") % {"name": "{name}"},
        "leads": gettext("%(name)s leads") % {"name": "{name}"},
        "opens": _who_opens(words),
        "whose": f"{gettext('Whose cards')}?",
        "passing": gettext("%(names)s: passing") % {"names": "{names}"},
        "round": gettext("Round %(number)s") % {"number": "{number}"},
        "begin": gettext("Begin round %(number)s") % {"number": "{number}"},
        "none": gettext("No special set"),
        "show": words.move_kind("show"),
        "declare": words.move_kind("declare"),
        "pass": words.move_kind("pass"),
        "passed": gettext("passed"),
        "correct": gettext("correct"),
        "unjudged": gettext("not judged yet"),
        "undo": f"↶ {gettext('Undo')}",
        "redo": f"↷ {gettext('Redo')}",
        "shown": gettext("%(card)s: %(name)s played it in move %(number)s. Should be:")
        % {"card": "{card}", "name": "{name}", "number": "{number}"},
        "mend": gettext("Correct move %(number)s") % {"number": "{number}"},
        "forgot": gettext("Something was forgotten before"),
        "count": gettext("Count your cards"),
        "nothing": nothing(words),
        "nobody": nobody(words),
    }
