"""The part of a form that chooses rules: presets, house rules, and a visitor's saved rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Response, request, url_for

from ledger.game.agreed import MOST
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.idle import idle_of, usual_numbers
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.overlays import schemes as paying
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, HouseRule
from ledger.game.rulesets.overlays.prices import PLACES
from ledger.game.rulesets.overlays.schemes import SCHEMES
from ledger.language import Speaker
from ledger.recorder import Problem
from ledger.recorder.agreements import agreed_ruleset
from ledger.recorder.terms import MOST_RULES
from ledger.web import chosen_rules, cookies, forms
from ledger.web.chosen_rules import TableRules, groups
from ledger.web.pages.opening.pricing import is_price
from ledger.web.preferences import speaker

PLAYED_FIRST = ("southern-classic", "southern-winner-takes-all", "card-count", "northern")
"""The presets that Vietnamese tables play most, listed first and always visible."""

PLAYED_OTHERWISE: Mapping[str, str] = {
    "passing.bomb_reopens=yes": "rule passing.bomb_reopens",
    "passing.late_on=2x4:1@2|2@2|2x3|4:chopped=2x4": "rule passing.late_on chopped",
    "opening.led_bombs_alike=yes": "rule opening.led_bombs_alike",
    "ending.no_last_two=yes": "rule ending.no_last_two",
    "passing.twos_pass_lead=yes": "rule passing.twos_pass_lead",
}
"""The lines of fields that tables change but that are not house rules, with their words: shown as switches among
those."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One preset of the list."""

    id: str
    title: str
    line: str
    players: tuple[int, ...]
    """The numbers of players that can play a round."""
    words: str
    """The text that a search looks in."""
    checked: bool
    fits: bool
    """Whether enough players have been named."""
    first: bool
    """Whether it is always visible."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a house rule; `line` is what the form sends."""

    line: str
    words: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule, and the presets under which it changes nothing (`idle`) or that rule it out (`refused`)."""

    name: str
    words: str
    choices: tuple[Choice, ...]
    idle: str
    refused: Mapping[str, str]
    """Preset -> the sentence that rules it out."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """A payment scheme, and the presets that already pay by it (`idle`)."""

    line: str
    title: str
    words: str
    checked: bool
    idle: str


@dataclass(frozen=True, slots=True)
class RulesForm:
    """The chosen rules, with messages about them."""

    rules: TableRules
    wrong: tuple[str, ...] = ()
    """Messages about rules that are refused."""
    idle: tuple[str, ...] = ()
    """Which of the chosen rules have no effect, each in a sentence."""
    others: tuple[str, ...] = ()
    """The `rule` lines that the form has no field for, passed on unchanged."""
    refused: tuple[str, ...] = ()
    """The names of the refused rules in their lines."""

    @property
    def has_house_rules(self) -> bool:
        """Whether any house rule has been chosen."""
        return not {*HOUSE_RULES, *map(_name, PLAYED_OTHERWISE)}.isdisjoint(self.rules.by_name)


def chosen(rules: TableRules) -> RulesForm:
    """Check chosen rules: whether they exist, contradict each other, and change anything."""
    words = speaker()
    wrong: tuple[str, ...] = ()
    if rules.ruleset not in PRESETS:
        rules = TableRules(next(iter(PRESETS)), rules.rules)
        wrong = (words.gettext("These rules are not known here: the list below has those that are."),)
    if len(rules.rules) > MOST_RULES:
        rules = TableRules(rules.ruleset, rules.rules[:MOST_RULES])
        left_out = words.gettext(
            "A table has at most %(count)s rules of its own; the others are left out here."
        )
        wrong = (*wrong, left_out % {"count": MOST_RULES})
    try:
        typed, ruleset = rules, agreed_ruleset(rules.ruleset, rules.by_name)
        rules = _with_usual_numbers(typed, ruleset)
        if rules != typed:
            ruleset = agreed_ruleset(rules.ruleset, rules.by_name)
    except Problem as problem:
        refused = _refused(problem)
        return RulesForm(rules, (*wrong, sentence(problem)), others=_others(rules), refused=refused)
    idle = tuple(map(words.idle, idle_of(ruleset, rules.by_name.items())))
    return RulesForm(rules, wrong, idle, _others(rules))


def _others(rules: TableRules) -> tuple[str, ...]:
    """The lines of some rules that the form has no field for."""
    known = {*map(_scheme_line, SCHEMES), *PLAYED_OTHERWISE}
    return tuple(
        line
        for line in rules.rules
        if line not in known and _name(line) not in HOUSE_RULES and not is_price(_name(line))
    )


def typed_rules(fields: forms.Fields) -> TableRules:
    """The rules of a form, with the usual number of everything that a chosen way needs and no number was typed for;
    the rules alone if they are refused, or too many."""
    rules = forms.rules(fields)
    if len(rules.rules) > MOST_RULES:
        return rules
    try:
        return _with_usual_numbers(rules, agreed_ruleset(rules.ruleset, rules.by_name))
    except Problem:
        return rules


def _with_usual_numbers(rules: TableRules, ruleset: Ruleset) -> TableRules:
    usual = usual_numbers(ruleset, rules.by_name.items())
    return TableRules(rules.ruleset, (*rules.rules, *(f"{path}={number}" for path, number in usual.items())))


def sentence(problem: Problem) -> str:
    """Why rules are refused; if two contradict each other, both are named."""
    words, facts = speaker(), problem.facts
    if "contradiction" in facts:
        name, other = facts["contradiction"]
        return words.contradiction(name, other, facts["played"])
    refused = _refused(problem)
    if refused and is_price(refused[0]):
        return _unpriced(refused[0], has_it="unpaid" not in facts)
    named = {"names": ", ".join(refused)}
    return words.gettext("There is no such rule, or it takes no such value: %(names)s") % named


def _refused(problem: Problem) -> tuple[str, ...]:
    return tuple(name.removeprefix("rules.") for name in problem.facts.get("fields", ()))


def _unpriced(path: str, *, has_it: bool) -> str:
    """Why a price is refused."""
    words, declared = speaker(), DECLARED.get(path)
    least, most = (declared.least, declared.most) if declared else (0, MOST)
    facts = {"price": words.field(path), "least": least, "most": most}
    if not has_it:
        return words.gettext("%(price)s: these rules have nothing to pay for it.") % facts
    if path.startswith(PLACES):
        return (
            words.gettext("%(price)s: whole numbers that come to 0, no place more than the one before it.")
            % facts
        )
    return words.gettext("%(price)s: a whole number from %(least)s to %(most)s.") % facts


def presets(form: RulesForm, named: int) -> list[Preset]:
    """All presets, the most played and the chosen one first. `named` is the number of named players; below 2 every
    preset fits."""
    words, chosen = speaker(), form.rules.ruleset
    first = [*PLAYED_FIRST, *([] if chosen in PLAYED_FIRST else [chosen])]
    return [
        Preset(
            id=id,
            title=words.ruleset(id),
            line=words.ruleset_line(id),
            players=ruleset.deal.players,
            words=" ".join((id, words.ruleset(id), *words.ruleset_words(id))),
            checked=id == chosen,
            fits=named < 2 or min(ruleset.deal.players) <= named,
            first=id in first,
        )
        for id, ruleset in ((id, PRESETS[id]) for id in [*first, *(id for id in PRESETS if id not in first)])
    ]


def switches(form: RulesForm) -> list[tuple[str, list[Switch]]]:
    """The house rules in groups, each with its title."""
    words, lines = speaker(), form.rules.rules
    found = {group: [_switch(words, rule, form.rules) for rule in rules] for group, rules in groups().items()}
    for line, words_of_line in PLAYED_OTHERWISE.items():
        one = Switch(_name(line), words.say(words_of_line), (Choice(line, "", line in lines),), "", {})
        found.setdefault(line.partition(".")[0], []).append(one)
    return [(words.capital(words.field(group)), some) for group, some in found.items()]


def schemes(form: RulesForm) -> list[Scheme]:
    """The payment schemes."""
    words, chosen_way = speaker(), form.rules.by_name.get(paying.RULE)
    return [
        Scheme(
            _scheme_line(name),
            words.scheme(name),
            words.scheme_line(name),
            name == chosen_way,
            " ".join(chosen_rules.paid_under()[name]),
        )
        for name in SCHEMES
    ]


def _scheme_line(name: str) -> str:
    return f"{paying.RULE}={name}"


def _switch(words: Speaker, rule: HouseRule, rules: TableRules) -> Switch:
    chosen = rules.by_name.get(rule.name)
    idle_under = chosen_rules.idle_under()[rule.name]
    # A rule that has an effect only together with another is not shown as idle: that one may be chosen too.
    beside_another = len(idle_under) == len(PRESETS)
    return Switch(
        rule.name,
        words.field(rule.name),
        tuple(
            Choice(f"{rule.name}={choice}", words.rule_value(choice), choice == chosen)
            for choice in rule.choices
        ),
        "" if beside_another else " ".join(idle_under),
        {
            preset: words.say(f"says {chosen}")
            for preset, chosen in chosen_rules.refused_under()[rule.name].items()
        },
    )


def _name(line: str) -> str:
    return line.partition("=")[0]


def link(rules: TableRules) -> str:
    """The address of the first page with these rules chosen, for sharing."""
    return f"{url_for('pages.open_table', _external=True)}?{rules.query}"


def saved_rules() -> list[chosen_rules.SavedRules]:
    """This visitor's saved rules whose presets still exist."""
    found = chosen_rules.read_saved(request.cookies.get(chosen_rules.COOKIE))
    return [one for one in found if one.rules.ruleset in PRESETS]


def save_rules(response: Response, some: Sequence[chosen_rules.SavedRules]) -> None:
    """Store these saved rules, and no others, in the visitor's cookie."""
    cookies.put(response, chosen_rules.COOKIE, chosen_rules.write_saved(some), chosen_rules.COOKIE_SECONDS)
