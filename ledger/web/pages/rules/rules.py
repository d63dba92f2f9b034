"""The rules of a night, all presets, and a night compared under other rules."""

from flask import Response, request, url_for

from ledger.game.comparison import compare
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.idle import idle_in
from ledger.game.side_by_side import report_comparison
from ledger.game.terms import TYPED
from ledger.language import overviews, rules_page
from ledger.recorder import Problem, ProblemCode
from ledger.recorder.agreements import agreed_ruleset
from ledger.recorder.views.night import Board
from ledger.web.access import NightVisit, visit_night
from ledger.web.agreed_lines import agreed_lines
from ledger.web.chosen_rules import SavedRules, TableRules
from ledger.web.heavy_work import costly_page
from ledger.web.pages.opening import rules_form
from ledger.web.pages.shared.blueprint import night_page, pages
from ledger.web.preferences import speaker
from ledger.web.reading import release, render
from ledger.web.terms_line import line_of_terms, rules_of_night


@pages.get("/n/<night:night>/rules")
def rules(night: str) -> Response:
    """The agreed rules, in sentences generated from the ruleset."""
    visit = visit_night(night)
    board, ruleset = visit.board(), visit.night.ruleset
    sections, agreed = rules_page(ruleset, speaker()), agreed_lines(visit.night, speaker())
    others = _others(board)
    return night_page(
        "rules/rules.html",
        board,
        place_here="rules",
        idle=[*map(speaker().idle, idle_in(ruleset))],
        sections=sections,
        typed_terms=TYPED,
        others=others,
        agreed=agreed,
        opening=line_of_terms(visit.night.opening) if agreed else "",
    )


def _others(board: Board, *but: TableRules) -> list[tuple[str, str]]:
    """The rules that a night can be compared under, each with a title and an address: this visitor's saved rules
    and all presets, except the night's own rules and those in `but`."""
    own = rules_of_night(board)
    sets = [*rules_form.saved_rules(), *(SavedRules(speaker().ruleset(id), TableRules(id)) for id in PRESETS)]
    return [
        (one.name, url_for("pages.under", night=board.id, preset=one.rules.ruleset, rule=one.rules.rules))
        for one in sets
        if not any(map(one.rules.is_like, (own, *but)))
    ]


@pages.get("/rules")
def rulesets() -> str:
    """All presets, as a list and as one table."""
    return render("rules/rulesets.html", presets=PRESETS, overviews=overviews(speaker()))


@pages.get("/rules/<preset>")
def ruleset(preset: str) -> str:
    """The rules of one preset, as on the rules page of a night."""
    if preset not in PRESETS:
        raise Problem(ProblemCode.NOT_FOUND)
    found = PRESETS[preset]
    return render("rules/ruleset.html", ruleset=found, sections=rules_page(found, speaker()))


@pages.get("/n/<night:night>/under/<preset>")
@costly_page
def under(visit: NightVisit, preset: str) -> Response:
    """The payments of the night next to those under a preset, changed by the address's rules (`?rule=`), and where
    the two first differ."""
    if preset not in PRESETS:
        raise Problem(ProblemCode.NOT_FOUND)
    rules = TableRules(preset, tuple(request.args.getlist("rule")))
    ruleset = agreed_ruleset(preset, rules.by_name)
    board, whole = visit.board(), visit.night.whole()
    release()
    compared = report_comparison(compare(whole, ruleset), speaker().ruling)
    others = _others(board, rules)
    changed = any(round.ruleset != whole.ruleset for round in whole.rounds)
    return night_page(
        "rules/under.html", board, place_here="rules", compared=compared, changed=changed, others=others
    )
