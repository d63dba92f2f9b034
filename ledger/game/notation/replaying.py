"""Script -> night, by the rules; and whether its `=` lines are borne out."""

from collections.abc import Iterator

from ledger.game.customs import Note
from ledger.game.errors import HEADER, Refused
from ledger.game.nights import Adjustment, Night, begin_round, due_header
from ledger.game.notation.script import Disagreement, Paid, RoundScript, Script, ScriptRefused
from ledger.game.scoring import Payment, payments
from ledger.game.state import Header, Round


def replay(script: Script, *, strict: bool = False) -> Night:
    """The night that a script tells; ScriptRefused at the first move that the rules refuse.

    Unless `strict`, plays imply the passes of the players they skip.
    """
    entries: list[Round | Adjustment | Note] = []
    previous: Round | None = None
    number = 0
    for entry in script.entries:
        if not isinstance(entry, RoundScript):
            entries.append(entry)
            continue
        number += 1
        try:
            previous = _replayed(script, entry, previous, infer=not strict)
        except Refused as refused:
            line = entry.line if refused.index == HEADER else entry.lines[refused.index]
            raise ScriptRefused(line, number, refused.number, refused.refusal) from None
        entries.append(previous)
    return Night(script.ruleset, tuple(script.names), script.stake, script.date, tuple(entries))


def disagreements(script: Script, night: Night) -> Iterator[Disagreement]:
    """The rounds of the replayed script whose `=` lines are not their payments."""
    for number, (written, round) in enumerate(zip(script.rounds, night.rounds, strict=True), start=1):
        if written.paid is None:
            continue
        missing = [_paid(payment) for payment in payments(round)]
        unexpected = []
        for paid in written.paid:
            if paid in missing:
                missing.remove(paid)
            else:
                unexpected.append(paid)
        if missing or unexpected:
            yield Disagreement(written.paid_line, number, tuple(missing), tuple(unexpected))


def _replayed(script: Script, entry: RoundScript, previous: Round | None, *, infer: bool) -> Round:
    everyone = tuple(range(len(script.names)))
    seats = entry.seats or (previous.header.seats if previous else everyone)
    if entry.opening is None and (previous is None or previous.over):
        header = due_header(script.ruleset, seats, previous)
    else:
        header = Header(seats, entry.leader, entry.stood)
    return begin_round(script.ruleset, len(everyone), header, previous, entry.moves, infer=infer)


def _paid(payment: Payment) -> Paid:
    return payment.payer, payment.payee, payment.points, payment.reason
