"""Script -> night, by the rules; and a check of its `=` lines."""

from collections.abc import Iterator, Sequence

from ledger.game.errors import Refused
from ledger.game.fold import voided
from ledger.game.night import (
    Entry,
    Joined,
    Night,
    begin_round,
    due_header,
    judge_terms,
    last_counting,
    require_round,
    seats_after,
)
from ledger.game.notation.script import (
    Disagreement,
    Paid,
    RoundScript,
    Script,
    ScriptRefused,
    TermsScript,
)
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.scoring import payments


def replay(script: Script, *, strict: bool = False) -> Night:
    """Replay a script; ScriptRefused at the first move that the rules refuse.

    Unless `strict`, plays imply the passes of the players they skip.
    """
    entries: list[Entry] = []
    rounds: list[Round] = []
    players, terms = script.starters, script.terms
    for entry in script.entries:
        if isinstance(entry, TermsScript):
            refusal = judge_terms(terms, entry.new, players, rounds[-1] if rounds else None)
            if refusal is not None:
                raise ScriptRefused(entry.line, len(rounds), 0, refusal)
            terms = entry.new.terms
            entries.append(entry.new)
            continue
        if not isinstance(entry, RoundScript):
            players += isinstance(entry, Joined)
            entries.append(entry)
            continue
        try:
            round = replay_round(terms.ruleset, players, entry, rounds, infer=not strict)
        except Refused as refused:
            line = entry.line if refused.index is None else entry.lines[refused.index]
            raise ScriptRefused(line, len(rounds) + 1, refused.number, refused.refusal) from None
        rounds.append(round)
        entries.append(round)
    return Night(script.terms, tuple(script.names), tuple(entries))


def disagreements(script: Script, night: Night) -> Iterator[Disagreement]:
    """The rounds of a replayed script whose `=` lines differ from their payments."""
    for number, (written, round) in enumerate(zip(script.rounds, night.rounds, strict=True), start=1):
        if written.paid is None:
            continue
        missing = [Paid(*payment[:4]) for payment in payments(round)]
        unexpected = []
        for paid in written.paid:
            if paid in missing:
                missing.remove(paid)
            else:
                unexpected.append(paid)
        if missing or unexpected:
            yield Disagreement(written.paid_line, number, tuple(missing), tuple(unexpected))


def replay_round(
    ruleset: Ruleset, players: int, entry: RoundScript, rounds: Sequence[Round], *, infer: bool
) -> Round:
    """Replay the round after these; `players` is how many are in the night by now. Refused at the first move that
    the rules refuse."""
    require_round(ruleset, len(rounds) + 1)
    previous = last_counting(rounds)
    seats = entry.seats or (seats_after(rounds[-1]) if rounds else tuple(range(players)))
    if entry.opening is None and (previous is None or previous.over):
        header = due_header(ruleset, seats, previous)._replace(times=entry.times)
    else:
        header = Header(seats, entry.leader, entry.stood, entry.times)
    round = begin_round(ruleset, players, header, previous, entry.moves, infer=infer)
    return round if entry.void is None else voided(round, entry.void)
