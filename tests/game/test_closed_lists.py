"""Every member of the rules' closed lists occurs in a test."""

from ledger.game.errors import Code, Notice
from ledger.game.findings import findings
from ledger.game.payments import Reason
from ledger.game.scoring import Status, payments, status
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import after, replay_story, run
from tests.game.test_records import NIGHTS, replayed

STORIES = [
    *("p1 3s", WHOLE_ROUND[4], FIRST_OUT[2], "p1 5s\np2 -\np1 3s", "p1 3s\np2 2s\np1 4s 4c 4d 4h"),
    *(f"p1 claims {run('s')} 2s", "p1 3s\nvoid misdealt", "p1 locks 3s"),
]
OWED = f"""
    round 1 opening
    p1 3s
    p2 2d
    p1 5s 5c 6s 6c 7s 7c
    p2 -
    p1 8d 9d Td Jd Qd Kd
    round 2 lead p1
    p2 claims {run("s", "3", "J")} 2s 2c 2d 2h
"""
"""A player who owes a card claims an instant win with four 2s."""


def test_every_reason_status_and_notice_comes_about() -> None:
    rounds = [after(story, players=4 if story == WHOLE_ROUND[4] else 2) for story in STORIES]
    for path in NIGHTS:
        rounds += replayed(path).rounds
    assert {payment.reason for round in rounds for payment in payments(round)} == set(Reason)
    assert {status(round) for round in rounds} == set(Status)
    noticed = [finding for round in rounds for finding in findings(round, strict=True)]
    owed = replay_story(OWED, players=2, rules=["chopped-owes-cards=yes", "cards-owed=any-two-flat"]).rounds
    noticed += findings(owed[1], owed[0])
    assert {finding.code for finding in noticed} - set(Code) == set(Notice)
