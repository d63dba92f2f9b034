"""Agree on other rules, or on what a point is worth, during the night: a form with what holds, and the change in a
sentence before it is recorded."""

from decimal import Decimal
from functools import partial
from typing import Any

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.terms import Stake
from ledger.recorder import Problem, with_unrecorded
from ledger.recorder.agreements import agreed_ruleset
from ledger.recorder.views.night import Board
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.agreed_lines import new_terms
from ledger.web.chosen_rules import TableRules
from ledger.web.pages.opening import rules_form
from ledger.web.pages.opening.money import in_points, stake_typed, typed_as_money
from ledger.web.pages.opening.pricing import prices
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.preferences import speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form, unreadable
from ledger.web.terms_line import money_typed, rules_of_night

ALL, NEXT = "all", "next"
"""The rounds that the first worth of a point is for."""


@pages.get("/n/<night:night>/terms")
def terms(night: str) -> Response:
    """The form with what holds; rules in the address (`?ruleset=`, `?rule=`) take the place of those that do."""
    visit = visit_as_keeper(night)
    asked, held = request.args, _held(visit.board())
    if "ruleset" in asked:
        held = {**held, "ruleset": [asked["ruleset"]], "rule": asked.getlist("rule")}
    return _form(visit, held)


@pages.post("/n/<night:night>/terms")
def agree_on_terms(night: str) -> AnyResponse:
    """Show what the form would change, record it, or show the form again."""
    visit = visit_as_keeper(night)
    fields = read_form()
    act = forms.one(fields, "act")
    if act == "change":
        return _form(visit, fields)
    if act == "points":
        return _form(visit, {**fields, **in_points(fields)})
    if act not in ("look", "record"):
        raise unreadable("a button of the form")
    if act == "record" and visit.night.has_event(forms.one(fields, "id")):
        return redirect(url_for("pages.table", night=night), 303)
    try:
        content = _content(visit, fields)
        if wrong := _missing(visit.board(), content, fields):
            return _form(visit, fields, wrong)
        asked = forms.request(fields, "agree", **content)
        if act == "record":
            visit.record(asked)
            return redirect(url_for("pages.table", night=night), 303)
        then = with_unrecorded(visit.night, [asked], visit.link).state.terms
    except Problem as problem:
        return _form(visit, fields, _refused(problem))
    board, before = visit.board(), visit.night.terms
    rules = rules_form.chosen(rules_form.typed_rules(fields)) if "ruleset" in content else None
    release()
    return night_page(
        "rules/new_terms.html",
        board,
        place_here="rules",
        sentence=new_terms(
            speaker(), _next(board), before, then, all_rounds=content.get("all_rounds", False)
        ),
        chosen=rules,
        carried=[(name, value) for name, values in fields.items() if name not in _OWN for value in values],
    )


_OWN = frozenset({"id", "after", "act"})
"""The fields that each page of the form has anew."""


def _next(board: Board) -> int:
    """The number of the first round that begins from now on."""
    return (board.round.number if board.round else 0) + 1


def _held(board: Board) -> forms.Fields:
    """The fields of what holds."""
    rules, (amount, currency) = rules_of_night(board), money_typed(board.stake)
    return {
        "ruleset": [rules.ruleset],
        "rule": rules.rules,
        "amount": [amount],
        "currency": [currency],
    }


def _content(visit: NightVisit, fields: forms.Fields) -> dict[str, Any]:
    """What the form changes of that which holds. Raises a Problem about rules, or about `amount`."""
    before, content = visit.night.terms, dict[str, Any]()
    if forms.one(fields, "ruleset"):
        rules = rules_form.typed_rules(fields)
        if agreed_ruleset(rules.ruleset, rules.by_name) != before.ruleset:
            content = {"ruleset": rules.ruleset, "rules": rules.by_name}
    if amount := forms.one(fields, "amount"):
        stake = stake_typed(amount, forms.one(fields, "currency"))
        if before.stake != Stake(Decimal(stake["amount"]), stake["currency"]):
            content["stake"] = stake
            if forms.one(fields, "rounds") == ALL:
                content["all_rounds"] = True
    return content


def _missing(board: Board, content: dict[str, Any], fields: forms.Fields) -> Notice | None:
    """What the form lacks; None if it is complete."""
    words = speaker()
    if board.stake is not None and not forms.one(fields, "amount"):
        return Notice(words.gettext("Say what a point is worth: a worth cannot be taken away, only changed."))
    if not content:
        return Notice(words.gettext("Nothing is changed yet."))
    if "stake" in content and _asks_rounds(board) and forms.one(fields, "rounds") not in (ALL, NEXT):
        return Notice(words.gettext("Say for which rounds a point is worth that."))
    return None


def _asks_rounds(board: Board) -> bool:
    """Whether there are rounds without a worth of a point, which may get it as well."""
    return board.stake is None and board.round is not None


def _refused(problem: Problem) -> Notice:
    """Why the form is refused: its rules, its amount of money, or the night as it is."""
    wrong = {name.partition(".")[0]: some for name, some in problem.facts.get("fields", {}).items()}
    if "amount" in wrong:
        return Notice(wrong["amount"][0], problem.status)
    if wrong.keys() & {"rules", "ruleset"} and problem.status == 400:
        return Notice(rules_form.sentence(problem), problem.status)
    return refused(problem, "agree", *problem.facts.get("fields", ()))


def _form(visit: NightVisit, fields: forms.Fields, notice: Notice | None = None) -> Response:
    """The form with its fields. While a round runs, it has only the first worth of a point."""
    board, rules = visit.board(), forms.rules(fields)
    release()
    chosen = rules_form.chosen(rules if rules.ruleset else TableRules(board.ruleset.id, rules.rules))
    return night_page(
        "rules/terms.html",
        board,
        notice,
        place_here="rules",
        number=_next(board),
        field=partial(forms.one, fields),
        asks_rounds=_asks_rounds(board),
        chosen=chosen,
        money=typed_as_money(fields) if chosen.wrong else None,
        presets=rules_form.presets(chosen, len(board.players)),
        schemes=rules_form.schemes(chosen),
        switches=rules_form.switches(chosen),
        prices=prices(chosen.rules, chosen.refused),
        kept=rules_form.saved_rules(),
    )
