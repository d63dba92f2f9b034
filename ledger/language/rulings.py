"""What two rulesets make of the same move, in words."""

from collections.abc import Iterator

from ledger.game.comparison import Ruling
from ledger.game.errors import Verdict
from ledger.game.side_by_side import ComparedRoundReport, ComparisonReport
from ledger.language.refusals import Names, name_of, refusal_text
from ledger.language.voice import Voice


def ruling_text(voice: Voice, ruling: Ruling, names: Names) -> str:
    """Whether a move is allowed, and what follows from it. Names are by player number."""
    return " ".join(_sentences(voice, ruling, names))


def _sentences(voice: Voice, ruling: Ruling, names: Names) -> Iterator[str]:
    if ruling.refusal is None:
        yield voice.say("ruling allowed")
    else:
        yield refusal_text(voice, ruling.refusal, names)
        if ruling.refusal.verdict is Verdict.IMPOSSIBLE:
            return
    if ruling.knocked:
        knocked = voice.all_of(name_of(names, player) for player in ruling.knocked)
        yield voice.say("ruling knocked out", names=knocked)
    if ruling.over:
        yield voice.say("ruling over")
    elif ruling.turn is None:
        yield voice.say("ruling opens")
    else:
        name = name_of(names, ruling.turn)
        yield voice.say("ruling leads" if ruling.leads else "ruling answers", name=name)


def difference_text(voice: Voice, comparison: ComparisonReport, *, with_move: bool) -> str:
    """Where a comparison finds the first difference; or that there is none."""
    first = comparison.first
    if first is None:
        return voice.say("comparison none")
    key = "comparison place" if first.move else "comparison header"
    place = voice.say(key, round=first.round, move=first.move)
    if with_move and first.line:
        place = f"{place}: {first.line}"
    said = voice.say("comparison first", place=place)
    return f"{said}. {voice.say('comparison stopped')}" if comparison.stopped == first else said


def left_out_text(voice: Voice, round: ComparedRoundReport) -> str:
    """What of a compared round the other rules do not see; nothing, where they see all."""
    return voice.say("comparison left out", count=round.left_out) if round.left_out else ""
