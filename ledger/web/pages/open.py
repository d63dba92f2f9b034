"""Opening a table."""

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
from ledger.language import LANGUAGES, currency_typed
from ledger.recorder import UNREADABLE, Link, Opened, Problem, ProblemCode, Role
from ledger.web import cookies, forms
from ledger.web.access import group_link, groups_held, link_to, nights_held, remember
from ledger.web.chosen_rules import KeptRules, TableRules, with_kept
from ledger.web.opening import open_night
from ledger.web.pages import rules_form
from ledger.web.pages.blueprint import board_in, pages, way_back
from ledger.web.pages.newcomers import is_example
from ledger.web.pages.pricing import prices
from ledger.web.preferences import LANGUAGE_COOKIE, speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_form, unreadable
from ledger.web.schemas import NewNight, load

NAMES = 4
"""How many fields for names are in sight; the others unfold."""
LANGUAGE_SECONDS = 365 * 24 * 3600


@pages.get("/")
def open_table() -> str:
    """The form that opens a table, with the rules that the address names; and the tables that this visitor's links
    lead to."""
    fields = request.args.to_dict(flat=False)
    return _form({name: fields[name] for name in ("ruleset", "rule") if name in fields}, {})


@pages.post("/")
def opened_table() -> AnyResponse:
    """Open a table, and keep the keeper's link, and rules of the table's own; refused, the form comes again with
    what was typed. Another button looks at the rules, keeps, forgets or reads some."""
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
        with suppress(Problem):  # a group that opens nothing any more keeps no table from being opened
            recorder().groups.add(group_link(group), keeper)
    response = make_response(redirect(url_for("pages.links", night=night), 303))
    remember(response, keeper, opened.tokens.keeper)
    if (rules := forms.rules(fields)).rules:
        _keep(response, rules, forms.one(fields, "set"), ", ".join(forms.names(fields)))
    return response


def _keep(response: Response, rules: TableRules, *names: str) -> None:
    """Keep a table's own rules by the first of some names that can be one."""
    for name in names:
        with suppress(ValueError):
            rules_form.keep(response, with_kept(rules_form.kept(), name, rules))
            return


def _opened(fields: forms.Fields) -> tuple[str, Opened]:
    """Open the night that the form describes; a Problem with status 400 lists the fields that are wrong."""
    asked: dict[str, object] = {"players": forms.names(fields), "rules": forms.rules(fields).by_name}
    if amount := forms.one(fields, "amount"):
        asked["stake"] = _stake(amount, currency_typed(forms.one(fields, "currency")))
    schema = NewNight()
    for name, field in schema.fields.items():
        typed = forms.one(fields, name) if name not in ("players", "rules", "stake") else ""
        if typed or (field.required and name not in asked):
            asked[name] = typed
    return open_night(**load(schema, asked))


def _stake(amount: str, currency: str) -> dict[str, str]:
    """What a point is worth, as people write money; a Problem about `amount` says how to write it."""
    try:
        return {"amount": speaker().amount(amount, currency), "currency": currency}
    except ValueError as error:
        raise Problem(ProblemCode.UNREADABLE, fields={"amount": [str(error)]}) from None


def _too_few(fields: forms.Fields) -> int:
    """How many players the chosen rules need, if there are not so many."""
    ruleset, named = PRESETS.get(forms.one(fields, "ruleset")), len(forms.names(fields))
    return min(ruleset.deal.players) if ruleset and 2 <= named < min(ruleset.deal.players) else 0


def _about_rules(act: str, about: str, fields: forms.Fields) -> AnyResponse:
    """The form again, after something was done about the rules in it."""
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
    """Speak another language to this visitor from now on, on the page the visitor was on."""
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
    """The first page. `wrong` says of fields what was not right; `looked_at` unfolds the rules."""
    typed = [*fields.get("players", ()), *[""] * MOST_PLAYERS][:MOST_PLAYERS]
    rules = forms.rules(fields)
    chosen = rules_form.chosen(rules if rules.ruleset else TableRules(next(iter(PRESETS)), rules.rules))
    return render_template(
        "open.html",
        id=str(uuid4()),
        secret=token_hex(16),
        typed=typed,
        in_sight=NAMES,
        chosen=chosen,
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
            # Of rules that cannot be, `chosen` says what.
            if (field := name.partition(".")[0]) not in ("ruleset", "rules")
        },
        unwritable=_unwritable(fields, wrong),
        nights=_nights(),
        groups=_groups(),
    )


def _unwritable(fields: forms.Fields, wrong: Iterable[str]) -> list[str]:
    """What was typed for names, and can be none."""
    typed = forms.names(fields)
    about = (name.partition(".") for name in wrong)
    return [typed[int(place)] for field, _, place in about if field == "players" and place]


def _groups() -> dict[str, tuple[str, bool]]:
    """The groups of this visitor's links: id -> what it is called, and whether the visitor keeps it."""
    return {
        link.group: (recorder().groups.group(link.group).name, link.keeps)
        for link in reversed(groups_held())  # those that keep come first: they stand
    }


@dataclass(frozen=True, slots=True)
class HeldNight:
    """A night of a visitor's links."""

    id: str
    names: str
    """Its players; its id where its own text cannot be read."""
    rounds: int
    ended: bool
    date: str = ""
    leads: str = ""
    """Who has won most, and how much."""
    opened: str = ""
    """When it was opened."""
    of_day: int = 0
    """Its place among those of the same names that were opened on its day; 0 where there is no other."""


def _nights() -> list[HeldNight]:
    """The nights of this visitor's links, the last one first."""
    nights = []
    for night in filter(lambda one: not is_example(one), nights_held()):
        try:
            nights.append(_night(link_to(night)))
        except Problem:
            continue  # a night that is not in this store any more
        except UNREADABLE:
            # Its own page says what is wrong with it.
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
