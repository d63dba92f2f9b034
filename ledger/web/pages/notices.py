"""Refusals that are answered on the page they came from, in words."""

from dataclasses import dataclass

from ledger.game.errors import Verdict
from ledger.recorder import Problem
from ledger.recorder.views.night import Board
from ledger.web import forms
from ledger.web.observability.logs import note_code
from ledger.web.preferences import speaker
from ledger.web.problems import page_detail, refusal_sentence


@dataclass(frozen=True, slots=True)
class Notice:
    """What is wrong and what to do. `may_stand` is the kind of a move that the table may have let stand."""

    words: str
    code: str = ""
    clause: str | None = None
    may_stand: str = ""


def stays_on_page(problem: Problem) -> bool:
    """Whether whoever sent a form can put it right there: what the rules or the state of the night refuse."""
    return problem.status in (409, 422)


def answered_on_page(problem: Problem, *fields: str) -> bool:
    """The same, or one of these fields of the form is not as it should be."""
    return stays_on_page(problem) or bool(set(fields) & set(problem.facts.get("fields", {})))


def misseated(fields: forms.Fields) -> Notice | None:
    """Why no round begins with those who were chosen to sit in; None where they may, or nobody was."""
    seats = [player for player in fields.get("seats", ()) if player]
    if not seats or len(seats) == len(set(seats)) > 1:
        return None
    words = speaker()
    return Notice(
        words.gettext("Each player has one seat, and two sit in at the least. Choose again who sits in.")
    )


def notice_of(problem: Problem, board: Board, kind: str) -> Notice:
    """A problem in words, for a form that asked for an event of this kind."""
    note_code(problem.code)
    refusal = problem.refusal
    if refusal is None:
        since = problem.facts.get("events")
        return Notice(page_detail(problem, **({"count": len(since)} if since else {})), problem.code)
    names = dict(enumerate(board.names.values()))
    stands = refusal.verdict is Verdict.IRREGULAR
    return Notice(
        refusal_sentence(problem, refusal, names), refusal.code, refusal.clause, kind if stands else ""
    )
