"""The first page: open a table."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from secrets import token_hex
from uuid import uuid4

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.notation import MOST_PLAYERS
from ledger.game.rulesets import PRESETS
from ledger.game.terms import TYPED
from ledger.language import LANGUAGES, currency_typed
from ledger.recorder import UNREADABLE, Link, Opened, Problem, ProblemCode, Role
from ledger.web import cookies, forms
from ledger.web.access import group_link, groups_held, link_to, nights_held, remember
from ledger.web.chosen_rules import KeptRules, TableRules, with_kept
from ledger.web.opening import open_night
from ledger.web.pages.help.newcomers import is_example
from ledger.web.pages.opening import rules_form
from ledger.web.pages.opening.money import typed_as_money
from ledger.web.pages.opening.pricing import prices
from ledger.web.pages.shared.blueprint import board_in, pages, way_back
from ledger.web.preferences import LANGUAGE_COOKIE, speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable
from ledger.web.schemas import NewNight, load

NAMES = 4
"""The number of name fields that are visible; the others unfold."""
LANGUAGE_SECONDS = 365 * 24 * 3600


@pages.get("/")
def open_table() -> str:
    """The form that opens a table, with the rules in the address; and the visitor's nights and groups."""
    fields = request.args.to_dict(flat=False)
    return _form({name: fields[name] for name in ("ruleset", "rule") if name in fields}, {})


@pages.post("/")
def opened_table() -> AnyResponse:
    """Open a table, and store the keeper's link and the table's own rules in cookies; if refused, the form is shown
    again with its fields. Other buttons check, save, delete or read rules."""
    fields = read_form()
    act, _, about = forms.one(fields, "act").partition(" ")
    if act:
        return _about_rules(act, about, fields)
    if short := _too_few(fields):
        return make_response(_form(fields, {"few": short}), 400)
    try:
        night, opened = _opened(fields)
    except Problem as problem:
        if "fields" not in problem.facts and problem.code not in (
            ProblemCode.ID_REUSED,
            ProblemCode.NIGHT_EXISTS,
        ):
            raise
        return make_response(_form(fields, problem.facts.get("fields", {"id": []})), problem.status)
    keeper = Link(night, Role.KEEPER)
    if group := forms.one(fields, "group"):
        with suppress(Problem):  # an invalid link to a group must not prevent the opening
            recorder().groups.add(group_link(group), keeper)
    response = make_response(redirect(url_for("pages.links", night=night), 303))
    remember(response, keeper, opened.tokens.keeper)
    if (rules := _rules(fields)).rules:
        _keep(response, rules, forms.one(fields, "set"), ", ".join(forms.names(fields)))
    return response


def _in_points(fields: forms.Fields) -> forms.Fields:
    """The fields of prices that were typed as money, in points, and what a point is worth."""
    money = typed_as_money(fields)
    return {**money.points, "amount": [money.worth]} if money and money.points else {}


def _rules(fields: forms.Fields) -> TableRules:
    """The rules of the form, with the usual number of what they need and was not typed."""
    return rules_form.with_usual_numbers(forms.rules(fields))


def _keep(response: Response, rules: TableRules, *names: str) -> None:
    """Save a table's own rules under the first valid name of some."""
    for name in names:
        with suppress(ValueError):
            rules_form.keep(response, with_kept(rules_form.kept(), name, rules))
            return


def _opened(fields: forms.Fields) -> tuple[str, Opened]:
    """Open the night of the form. Raises a Problem with status 400 that lists the wrong fields."""
    asked: dict[str, object] = {"players": forms.names(fields), "rules": _rules(fields).by_name}
    if amount := forms.one(fields, "amount"):
        asked["stake"] = _stake(amount, currency_typed(forms.one(fields, "currency")))
    schema = NewNight()
    for name, field in schema.fields.items():
        typed = forms.one(fields, name) if name not in ("players", "rules", "stake") else ""
        if typed or (field.required and name not in asked):
            asked[name] = typed
    return open_night(**load(schema, asked))


def _stake(amount: str, currency: str) -> dict[str, str]:
    """The stake from a typed amount of money. Raises a Problem about `amount` that says how to write it."""
    try:
        return {"amount": speaker().amount(amount, currency), "currency": currency}
    except ValueError as error:
        raise Problem(ProblemCode.UNREADABLE, fields={"amount": [str(error)]}) from None


def _too_few(fields: forms.Fields) -> int:
    """The number of players that the chosen rules need, if at least 2 but too few are named; else 0."""
    ruleset, named = PRESETS.get(forms.one(fields, "ruleset")), len(forms.names(fields))
    return min(ruleset.deal.players) if ruleset and 2 <= named < min(ruleset.deal.players) else 0


def _about_rules(act: str, about: str, fields: forms.Fields) -> AnyResponse:
    """Handle a button about rules, and show the form again."""
    kept, rules = rules_form.kept(), forms.rules(fields)
    match act:
        case "check":
            return make_response(_form(fields, {}, looked_at=True))
        case "read":
            try:
                read = TableRules.read("\n".join(fields.get("lines", ())))
            except ValueError as error:
                return make_response(_form(fields, {"lines": str(error)}, looked_at=True), 400)
            return make_response(
                _form(
                    {**fields, "ruleset": [read.ruleset], "rule": read.rules, "lines": ()}, {}, looked_at=True
                )
            )
        case "points":
            fields = {**fields, **_in_points(fields)}
            return make_response(_form(fields, {}, looked_at=True))
        case "keep":
            try:
                kept = with_kept(kept, forms.one(fields, "set"), rules)
            except ValueError:
                return make_response(_form(fields, {"set": []}, looked_at=True), 400)
        case "forget":
            kept = [one for one in kept if one.name != about]
        case _:
            raise unreadable("a button of the form")
    response = make_response(_form({**fields, "set": ()}, {}, looked_at=True, kept=kept))
    rules_form.keep(response, kept)
    return response


@pages.post("/language")
def set_language() -> AnyResponse:
    """Set the visitor's language, and go back to the page."""
    fields = read_form()
    language = forms.one(fields, "language")
    if language not in LANGUAGES:
        raise unreadable("a language")
    response = make_response(redirect(way_back(forms.one(fields, "back")), 303))
    cookies.keep(response, LANGUAGE_COOKIE, language, LANGUAGE_SECONDS)
    return response


def _form(
    fields: forms.Fields,
    wrong: Mapping[str, object],
    *,
    looked_at: bool = False,
    kept: list[KeptRules] | None = None,
) -> str:
    """The first page. `wrong` has the errors by field; `looked_at` unfolds the rules."""
    typed = [*fields.get("players", ()), *[""] * MOST_PLAYERS][:MOST_PLAYERS]
    rules = forms.rules(fields)
    chosen = rules_form.chosen(rules if rules.ruleset else TableRules(next(iter(PRESETS)), rules.rules))
    return render_template(
        "opening/open.html",
        id=str(uuid4()),
        secret=token_hex(16),
        typed=typed,
        in_sight=NAMES,
        typed_terms=TYPED,
        chosen=chosen,
        money=typed_as_money(fields) if chosen.wrong else None,
        presets=rules_form.presets(chosen, len(forms.names(fields))),
        schemes=rules_form.schemes(chosen),
        switches=rules_form.switches(chosen),
        prices=prices(chosen.rules, chosen.refused),
        link=rules_form.link(chosen.rules),
        kept=rules_form.kept() if kept is None else kept,
        looked_at=looked_at or bool(rules.ruleset and not fields.get("players")),
        field=partial(forms.one, fields),
        wrong={
            field: what
            for name, what in wrong.items()
            # `chosen` has the errors of rules.
            if (field := name.partition(".")[0]) not in ("ruleset", "rules")
        },
        unwritable=_unwritable(fields, wrong),
        nights=_nights(),
        groups=_groups(),
    )


def _unwritable(fields: forms.Fields, wrong: Iterable[str]) -> list[str]:
    """The typed names that are invalid."""
    typed = forms.names(fields)
    about = (name.partition(".") for name in wrong)
    return [typed[int(place)] for field, _, place in about if field == "players" and place]


def _groups() -> dict[str, tuple[str, bool]]:
    """The groups of this visitor's links: id -> name, and whether the visitor has the keeper's link."""
    return {
        link.group: (recorder().groups.group(link.group).name, link.keeps)
        for link in reversed(groups_held())  # keepers' links, which are first, overwrite others
    }


@dataclass(frozen=True, slots=True)
class HeldNight:
    """A night of a visitor's links."""

    id: str
    names: str
    """The players' names; the id of the night if its log cannot be read."""
    rounds: int
    ended: bool
    date: str = ""
    leads: str = ""
    """The player who has won most, with the points."""
    opened: str = ""
    """When it was opened."""
    of_day: int = 0
    """Its number among nights of the same names on its day; 0 if it is the only one."""


def _nights() -> list[HeldNight]:
    """The nights of this visitor's links, the last one first."""
    nights = []
    for night in filter(lambda one: not is_example(one), nights_held()):
        try:
            nights.append(_night(link_to(night)))
        except Problem:
            continue  # the night is no longer in this store
        except UNREADABLE:
            # The night's own page reports what is wrong.
            nights.append(HeldNight(night, night, 0, ended=False))
    alike: dict[tuple[str, str], list[str]] = {}
    for held in sorted(nights, key=lambda one: one.opened):
        alike.setdefault((held.names, held.date), []).append(held.id)
    same = {held.id: alike[held.names, held.date] for held in nights}
    return [
        replace(one, of_day=same[one.id].index(one.id) + 1) if same[one.id][1:] else one for one in nights
    ]


def _night(link: Link) -> HeldNight:
    words = speaker()
    with recorder().night(link.night) as snapshot:
        board, date, opened = board_in(snapshot, link), snapshot.terms.date, snapshot.row.created_at
    most = max(board.net, key=lambda player: board.net[player])
    points = board.net[most]
    return HeldNight(
        board.id,
        words.all_of(board.names.values()),
        board.round.number if board.round else 0,
        ended=board.ended,
        date=words.day(datetime.fromisoformat(date)),
        leads=f"{board.names[most]} {words.signed(points)}" if points else "",
        opened=opened,
    )
