"""The first page: open a table."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from secrets import token_hex
from uuid import uuid4

from flask import Response, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.notation import MOST_PLAYERS
from ledger.game.rulesets import PRESETS
from ledger.game.terms import TYPED
from ledger.language import LANGUAGES, currency_typed
from ledger.recorder import Link, Opened, Problem, ProblemCode, Role
from ledger.web import cookies, forms
from ledger.web.access import group_link, groups_held, remember
from ledger.web.chosen_rules import SavedRules, TableRules, with_saved
from ledger.web.opening import open_night
from ledger.web.pages.opening import rules_form
from ledger.web.pages.opening.money import in_points, stake_typed, typed_as_money
from ledger.web.pages.opening.nights import HeldNight, group_kept_here, held_nights, last_of, the_same_again
from ledger.web.pages.opening.picture import picture
from ledger.web.pages.opening.pricing import prices
from ledger.web.pages.shared.blueprint import pages, way_back
from ledger.web.preferences import LANGUAGE_COOKIE
from ledger.web.reading import release, render, snapshot
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable
from ledger.web.schemas import NewNight, load
from ledger.web.terms_line import line

NAMES = 4
"""The number of name fields that are visible; the others unfold."""
LANGUAGE_SECONDS = 365 * 24 * 3600


IN_SIGHT = frozenset({"players", "id", "secret", "night", "zone"})
"""The fields whose errors do not unfold the rules."""


@pages.get("/")
def open_table() -> str:
    """The form that opens a table, with the rules in the address. Without any, the visitor's nights and groups come
    first, or a picture for newcomers."""
    fields = request.args.to_dict(flat=False)
    asked: forms.Fields = {name: fields[name] for name in ("ruleset", "rule") if name in fields}
    return _form(asked, {}, unfolded=True) if asked else _form(asked, {}, nights=held_nights())


@pages.post("/")
def opened_table() -> AnyResponse:
    """Open a table, and store the keeper's link and the table's own rules in cookies; if refused, the form is shown
    again with its fields. Other buttons check, save, delete or read rules."""
    fields: forms.Fields = read_form()
    if last := forms.one(fields, "again"):
        fields = {**fields, **the_same_again(last)}
    act, _, about = forms.one(fields, "act").partition(" ")
    if act == "change":
        return make_response(_form(fields, {}))
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
            kept = group_link(group)
            release()
            recorder().groups.add(kept, keeper)
    response = make_response(redirect(url_for("pages.table", night=night), 303))
    remember(response, keeper, opened.tokens.keeper)
    if (rules := rules_form.typed_rules(fields)).rules:
        _save_own_rules(response, rules, forms.one(fields, "set"), ", ".join(forms.names(fields)))
    return response


def _save_own_rules(response: Response, rules: TableRules, *names: str) -> None:
    """Save a table's own rules under the first valid name of some."""
    for name in names:
        with suppress(ValueError):
            rules_form.save_rules(response, with_saved(rules_form.saved_rules(), name, rules))
            return


def _opened(fields: forms.Fields) -> tuple[str, Opened]:
    """Open the night of the form. Raises a Problem with status 400 that lists the wrong fields."""
    asked: dict[str, object] = {
        "players": forms.names(fields),
        "rules": rules_form.typed_rules(fields).by_name,
    }
    if amount := forms.one(fields, "amount"):
        asked["stake"] = stake_typed(amount, forms.one(fields, "currency"))
    schema = NewNight()
    for name, field in schema.fields.items():
        typed = forms.one(fields, name) if name not in ("players", "rules", "stake") else ""
        if typed or (field.required and name not in asked):
            asked[name] = typed
    return open_night(**load(schema, asked))


def _too_few(fields: forms.Fields) -> int:
    """The number of players that the chosen rules need, if at least 2 but too few are named; else 0."""
    ruleset, named = PRESETS.get(forms.one(fields, "ruleset")), len(forms.names(fields))
    return min(ruleset.deal.players) if ruleset and 2 <= named < min(ruleset.deal.players) else 0


def _about_rules(act: str, about: str, fields: forms.Fields) -> AnyResponse:
    """Handle a button about rules, and show the form again."""
    kept, rules = rules_form.saved_rules(), forms.rules(fields)
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
            fields = {**fields, **in_points(fields)}
            return make_response(_form(fields, {}, looked_at=True))
        case "keep":
            try:
                kept = with_saved(kept, forms.one(fields, "set"), rules)
            except ValueError:
                return make_response(_form(fields, {"set": []}, looked_at=True), 400)
        case "forget":
            kept = [one for one in kept if one.name != about]
        case _:
            raise unreadable("a button of the form")
    response = make_response(_form({**fields, "set": ()}, {}, looked_at=True, kept=kept))
    rules_form.save_rules(response, kept)
    return response


@pages.post("/language")
def set_language() -> AnyResponse:
    """Set the visitor's language, and go back to the page."""
    fields = read_form()
    language = forms.one(fields, "language")
    if language not in LANGUAGES:
        raise unreadable("a language")
    response = make_response(redirect(way_back(forms.one(fields, "back")), 303))
    cookies.put(response, LANGUAGE_COOKIE, language, LANGUAGE_SECONDS)
    return response


def _form(
    fields: forms.Fields,
    wrong: Mapping[str, object],
    *,
    looked_at: bool = False,
    unfolded: bool = False,
    nights: list[HeldNight] | None = None,
    kept: list[SavedRules] | None = None,
) -> str:
    """The first page. `wrong` has the errors by field; `unfolded` opens the rules, `looked_at` also the
    buttons about them; `nights` come before the form, or a picture if there are none."""
    typed = [*fields.get("players", ()), *[""] * MOST_PLAYERS][:MOST_PLAYERS]
    rules = forms.rules(fields)
    chosen = rules_form.chosen(rules if rules.ruleset else TableRules(next(iter(PRESETS)), rules.rules))
    typed_in, groups, last = partial(forms.one, fields), _groups(), last_of(nights or [])
    last_group = group_kept_here(last.id) if last else None
    release()
    looked_at = looked_at or bool(rules.ruleset and not fields.get("players"))
    return render(
        "opening/open.html",
        id=str(uuid4()),
        other_id=str(uuid4()),
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
        kept=rules_form.saved_rules() if kept is None else kept,
        looked_at=looked_at,
        terms=line(chosen.rules, typed_in("amount"), currency_typed(typed_in("currency") or "VND")),
        unfolded=unfolded or looked_at or bool(chosen.wrong) or not IN_SIGHT.issuperset(wrong),
        field=typed_in,
        wrong={
            field: what
            for name, what in wrong.items()
            # `chosen` has the errors of rules.
            if (field := name.partition(".")[0]) not in ("ruleset", "rules")
        },
        unwritable=_unwritable(fields, wrong),
        picture=picture() if nights == [] and not groups else "",
        nights=nights,
        last=last,
        last_group=last_group,
        groups=groups,
    )


def _unwritable(fields: forms.Fields, wrong: Iterable[str]) -> list[str]:
    """The typed names that are invalid."""
    typed = forms.names(fields)
    about = (name.partition(".") for name in wrong)
    return [typed[int(place)] for field, _, place in about if field == "players" and place]


def _groups() -> dict[str, tuple[str, bool]]:
    """The groups of this visitor's links: id -> name, and whether the visitor has the keeper's link."""
    links = {
        link.group: link for link in reversed(groups_held())
    }  # keepers' links, which are first, overwrite others
    groups = snapshot().groups(links) if links else {}
    return {group: (groups[group].name, link.keeps) for group, link in links.items()}
