"""Customs derived from cached facts of earlier rounds equal those derived from the whole night."""

import pytest

from ledger.game.customs import Deals, Kneels, Note, dealer, debts, kneeling, knelt
from ledger.game.night import Night, last_counting
from ledger.game.round import Round
from ledger.recorder import Recorder
from ledger.recorder import round_log as logs
from tests.recorder.tables import Table, asked, open_table
from tests.stories import read_story

STORY = """
note deals p2
round opening !
result p1 p2 p3 p4
note kneels p4 until-first
round lead p1 !
undo
note deals p4
round lead p1 !
p1 3s
note owes p1 p2 1 any-two
undo
result p4 p1 p2 p3
round lead p4 !
result p1 p4 p3 p2
void 1 chia nhầm
pay p1 p2 5 đến muộn
join Em Thảo
round opening !
p1 3s
note swaps p5 p4
"""
"""Notes before, between and in rounds, undone beginnings, and a round that is voided much later."""


def due(night: Night) -> list[Note]:
    """The notes due before the next round, derived from the whole night."""
    last = last_counting(night.rounds)
    if last is None or not last.over:
        return []
    deals = dealer(night.ruleset, last.header.seats, last)
    return [*([] if deals is None else [Deals(deals)]), *kneeling(map(knelt, night.rounds)), *debts(last)]


def noted(night: Night) -> list[tuple[int, list[Note]]]:
    """The notes of a night by the number of rounds before them, the last first."""
    found: dict[int, list[Note]] = {}
    rounds = 0
    for entry in night.entries:
        if isinstance(entry, Round):
            rounds += 1
        elif isinstance(entry, Note):
            found.setdefault(rounds, []).append(entry)
    return sorted(found.items(), reverse=True)


@pytest.mark.parametrize("ruleset", ["southern-classic", "thirteen-kneeling", "viet-cong"])
def test_after_every_entry_it_is_what_the_whole_night_says(recorder: Recorder, ruleset: str) -> None:
    table = open_table(recorder, ruleset=ruleset)
    kneels = set()
    for kind, content in read_story(STORY):
        table.record(kind, **content)
        customs, night = asked(recorder, table.night).customs(), asked(recorder, table.night).whole()
        assert (list(customs.due), list(customs.noted)) == (due(night), noted(night)), kind
        assert table.restarted().ask.customs() == customs, kind
        kneels |= {note.player for note in customs.due if isinstance(note, Kneels)}
    customs = asked(recorder, table.night).customs()
    assert [number for number, _ in customs.noted] == [4, 2, 1, 0]
    assert kneels == ({1, 2, 3} if ruleset == "thirteen-kneeling" else set())


def test_a_round_that_is_known_is_not_read_again(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(recorder, ruleset="thirteen-kneeling")
    for number in range(1, 6):
        table.tell(f"round {'opening' if number == 1 else 'lead p1 !'} \n result p1 p2 p3 p4")
        asked(recorder, table.night).customs()
    folded: list[int] = []
    fold = logs.RoundLog.fold.__func__  # type: ignore[attr-defined]

    def noticed(cls: type[logs.RoundLog], ruleset: object, number: int, *rest: object) -> logs.RoundLog:
        folded.append(number)
        made: logs.RoundLog = fold(cls, ruleset, number, *rest)
        return made

    monkeypatch.setattr(logs.RoundLog, "fold", classmethod(noticed))
    table.tell("round lead p1 ! \n result p1 p2 p4 p3")
    assert Kneels(2) in asked(recorder, table.night).customs().due
    assert set(folded) <= {6}
    folded.clear()
    fresh: Table = table.restarted()
    assert Kneels(2) in asked(fresh.recorder, table.night).customs().due
    assert set(folded) >= {1, 2, 3, 4}
