"""Correct one move of an unsettled round on the table: another card or seat, a forgotten move or one that never
happened. This records a correction; the page names its reason, and a person may type another.

Passes that were filled in with plays are worked out again in the same correction: the page says beforehand which.
Its script asks after each tap; without it, the button says so first, and records when it is pressed again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.game.rulesets.model import Ruleset
from ledger.recorder import NightSnapshot, Problem, ProblemCode, with_passes
from ledger.recorder.events.correction import ChangeData
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.round_page import RoundPage, Step
from ledger.web import forms
from ledger.web.access import NightVisit, visit_as_keeper
from ledger.web.pages.shared.blueprint import Notice, night_page, pages, refused
from ledger.web.pages.table import table_form, table_view
from ledger.web.preferences import say_finding, speaker
from ledger.web.reading import release
from ledger.web.request_body import read_form, unreadable

_MENDED = ("play", "pass")


@pages.get("/n/<night:night>/rounds/<int:number>/mend")
def mend(night: str, number: int) -> AnyResponse:
    """The table with one move to correct, given by its address or the id of its event, `?target=`, or its number,
    `?move=`. `how=before` is for a move forgotten before it, by the same player or that of `seat=`; `swap=5s 5c`
    replaces a card. Without a move, the page lists all moves of the round, the last one first."""
    visit = visit_as_keeper(night)
    fields = request.args.to_dict(flat=False)
    round = visit.night.round_page(number, say_finding)
    if target := forms.one(fields, "target"):
        # A page that is gone back to names a move that was corrected since.
        fields = {**fields, "target": [visit.night.standing_at(number, target)]}
        if not forms.one(fields, "target"):
            return redirect(url_for("pages.table", night=night), 303)
    row = _row(round, fields) if fields.keys() & {"target", "move"} else None
    closed = round.posted or round.void is not None
    if closed or (row is not None and row.kind not in _MENDED):
        entry = row.address if row else None
        return redirect(url_for("pages.correct", night=night, number=number, target=entry))
    if row is None:
        board, moves = visit.board(), _with_gaps(round, visit.night.rules_of(number))
        return night_page("rounds/forgotten.html", board, place_here="table", round=round, moves=moves)
    old, _, new = forms.one(fields, "swap").partition(" ")
    before = forms.one(fields, "how") == "before"
    cards = [] if before else [new if card == old else card for card in row.cards]
    seat = (before and forms.one(fields, "seat")) or row.player or ""
    return _mend_page(visit, round, row, {**fields, "cards": cards, "seat": [seat]})


def _with_gaps(round: RoundPage, ruleset: Ruleset) -> list[tuple[EntryRow, Sequence[str]]]:
    """The moves that can be mended, the last one first; each play with the players of whom one may be missing
    before it, in playing order from its own. A pass that is listed stands for a play of its player."""
    found: list[tuple[EntryRow, Sequence[str]]] = []
    before, passed = None, set[str]()
    for step in round.steps:
        row = step.row
        if row.kind == "pass" and row.player:
            passed.add(row.player)
            found.append((row, ()))
        elif row.kind == "play" and row.player:
            may = _may_have_played(before, ruleset) if before else round.seats
            offered = {row.player, *(set(may) - passed)}
            first = round.seats.index(row.player)
            order = (*round.seats[first:], *round.seats[:first])
            found.append((row, [one for one in order if one in offered]))
            before, passed = step, set()
    return found[::-1]


def _may_have_played(play: Step, ruleset: Ruleset) -> Sequence[str]:
    """Who may have played after a play, besides the player of the next: its own player, who led once all had
    passed; or everybody still in, if that player went out, or passes lock nobody out."""
    out, player = {*play.places, *play.knocked_out}, play.row.player
    if ruleset.passing.locks and player and player not in out:
        return [player]
    return [one for one in play.left if one not in out]


@pages.post("/n/<night:night>/rounds/<int:number>/mend")
def record_mending(night: str, number: int) -> AnyResponse:
    """Record the correction, and go back to the table, or to the settling of a round that is over; or only say what
    else it would change."""
    visit = visit_as_keeper(night)
    fields = read_form()
    button = forms.kind_of(fields)
    if button not in ("correct", "forward", "strike", "follows"):
        raise unreadable("a button of the form")
    if visit.night.has_event(
        forms.one(fields, "id")
    ):  # sent twice: what follows from it would be another change
        return redirect(url_for("pages.table", night=night), 303)
    round = visit.night.round_page(number, say_finding)
    row = _row(round, fields)
    if button == "follows":
        return _mend_page(visit, round, row, fields)
    how = button if button == "strike" else forms.one(fields, "how") or "replace"
    if how != "strike" and not fields.get("seat"):
        return _mend_page(visit, round, row, fields, Notice(table_form.nobody(speaker())))
    change = _change(row, how, fields)
    reason = forms.one(fields, "reason") or _slip(row, how, change)
    try:
        asked = forms.request(fields, "correct", changes=[change], reason=reason)
        follows = _consequences(visit.night, round, asked.content["changes"][0])
        if follows.sentence not in ("", *fields.get("seen", ())):
            return _mend_page(visit, round, row, fields)
        changes = [*follows.ahead, change, *follows.behind]
        (recorded,) = visit.record(forms.request(fields, "correct", changes=changes, reason=reason))
    except Problem as problem:
        return _mend_page(visit, round, row, fields, refused(problem, "correct", "reason"))
    if recorded.to_settle == number:
        return redirect(url_for("pages.settle", night=night, number=number), 303)
    return redirect(url_for("pages.table", night=night), 303)


def _change(row: EntryRow, how: str, fields: forms.Fields) -> ChangeData:
    """The change of a move, by the form's fields: without cards it was a pass."""
    entry = "play" if fields.get("cards") else "pass"
    change = forms.change({**fields, "how": [how], "target": [row.address], "entry": [entry]})
    if forms.kind_of(fields) == "forward" and change["with"]:
        change["with"] = {**change["with"], "forward": True}
    return change


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a correction of a move changes of the passes that were filled in, and of who leads: changes before and
    after that of the move, and a sentence about them, empty if there is nothing to say."""

    ahead: list[ChangeData]
    behind: list[ChangeData]
    sentence: str


def _consequences(night: NightSnapshot, round: RoundPage, change: ChangeData) -> Consequences:
    """What follows from a change. That whoever played a forgotten play has not passed goes without saying."""
    changes, names, words = with_passes(night, round.number, change), night.names, speaker()
    at = next(place for place, one in enumerate(changes) if one is change)
    ahead, behind = changes[:at], changes[at + 1 :]
    led = [one["with"]["leader"] for one in ahead if one["with"] and one["with"]["kind"] == "round"]
    passes = [one for one in (*ahead, *behind) if not (one["with"] and one["with"]["kind"] == "round")]
    player = {row.address: row.player for row in round.moves}
    inserted = Counter(one["with"]["seat"] for one in passes if one["with"])
    struck = Counter(who for one in passes if not one["with"] and (who := player.get(one["target"])))
    played = Counter([change["with"]["seat"]] if "before" in change and change["with"] else ())
    sentences = [words.gettext("%(name)s leads") % {"name": names[leader]} for leader in led]
    if passed := inserted - struck:
        sentences.append(words.gettext("%(names)s passed") % {"names": _all(names, passed)})
    if not_passed := struck - inserted - played:
        sentences.append(words.gettext("%(names)s did not pass") % {"names": _all(names, not_passed)})
    sentence = " · ".join(sentences)
    if sentence and change["with"]:  # the button that strikes a move has it as it is
        sentence = words.gettext("With it: %(changes)s") % {"changes": sentence}
    return Consequences(ahead, behind, sentence)


def _all(names: Mapping[str, str], players: Iterable[str]) -> str:
    return speaker().all_of(names[player] for player in sorted(players))


def _sentence(night: NightSnapshot, round: RoundPage, row: EntryRow, how: str, fields: forms.Fields) -> str:
    """What the form's correction takes with it; empty if that is nothing, or the form corrects nothing yet."""
    seat, cards = forms.one(fields, "seat"), fields.get("cards", ())
    same = how == "replace" and (seat, sorted(cards)) == (row.player, sorted(row.cards))
    if not seat or same or (how == "before" and not cards):
        return ""
    with suppress(Problem):  # a card that is none: recording says so
        return _consequences(night, round, _change(row, how, fields)).sentence
    return ""


def _slip(row: EntryRow, how: str, change: ChangeData) -> str:
    """What went wrong with a move, from what it should have been."""
    words, entry = speaker(), change["with"]
    if entry is None:
        return words.gettext("never happened")
    if how == "before":
        return words.gettext("forgotten")
    cards = entry.get("cards", [])
    if entry["seat"] != row.player:
        same = sorted(row.cards) == sorted(cards)
        return words.gettext("wrong player") if same else words.gettext("tapped by mistake")
    ranks = [sorted(card[:1] for card in some) for some in (row.cards, cards)]
    return words.gettext("wrong suit") if ranks[0] == ranks[1] else words.gettext("tapped by mistake")


def _row(round: RoundPage, fields: forms.Fields) -> EntryRow:
    """The move that the fields name, also by the id of its event. Raises a Problem if there is none."""
    target, number = forms.one(fields, "target"), forms.one(fields, "move")
    for row in reversed(round.moves):
        if (target and target in (row.address, row.event)) or (not target and number == str(row.move)):
            return row
    raise Problem(ProblemCode.NOT_FOUND)


def _mend_page(
    visit: NightVisit, round: RoundPage, row: EntryRow, fields: forms.Fields, notice: Notice | None = None
) -> Response:
    how = forms.one(fields, "how") or "replace"
    before = how == "before"
    board, consequences = visit.board(), _sentence(visit.night, round, row, how, fields)
    struck = "" if before else _sentence(visit.night, round, row, "strike", fields)
    ruleset = visit.night.rules_of(round.number)
    forward = ruleset.passing.forward and (before or not row.forward)
    release()
    # Cards shown by other moves cannot be tapped; those of this move can.
    out_of_reach = Counter(round.seen_counts) - Counter(() if before else row.cards)
    return night_page(
        "rounds/mend.html",
        board,
        notice,
        place_here="table",
        round=round,
        row=row,
        before=before,
        seat=forms.one(fields, "seat"),
        reason=forms.one(fields, "reason"),
        consequences=consequences,
        struck=struck,
        forward=forward,
        facts={"naming": table_view.naming(speaker()), "pass": speaker().move_kind("pass")},
        grids=table_view.grids(ruleset.deck, seen_counts=out_of_reach, checked=fields.get("cards", ())),
    )
