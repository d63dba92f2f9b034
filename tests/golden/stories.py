"""The stories of the golden nights; together they contain every kind of entry, in every form."""

from dataclasses import dataclass
from typing import Any

from tests.recorder.tables import RECORDS

Data = dict[str, Any]

CARRIED = RECORDS / "double-deck-01.tln"


@dataclass(frozen=True)
class Story:
    """A night: its opening, and its entries as lines; `? ` marks those that are refused."""

    id: str
    opening: Data
    lines: str
    forgotten: bool = False
    """Whether its names are erased at the end."""


EVENING = Story(
    "5c1d7f0e-8a3b-4c52-9f61-000000000001",
    {
        "ruleset": "southern-classic",
        "rules": {"four-pairs-chop-late": "yes", "payments.card": "0"},
        "players": ["An", "Bình", "Chi", "Dũng"],
        "stake": {"amount": "1000", "currency": "VND"},
        "zone": "+07:00",
    },
    """
    round opening
    p1 claims 3d 4s 4c 5d 5h 6c 6d 8c 8h 9d 9h Qs Qc
    settle
    round opening
    ? p1 4s
    p1 3s
    p2 2d
    p3 4s 4c 4d 4h
    p4 -
    undo
    redo
    p1 -
    p2 -
    p3 5s 6s 7s 8s 9s Ts Js Qs Ks
    p1 -
    p2 -
    p1 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac
    p2 -
    p1 6d 6h
    ? settle
    p2 declares none
    p4 declares 2s, 2c, 2h
    settle
    p1 confirms 2
    p2 disputes 2 payment 21.0 không phải
    decide 23 waived thôi bỏ qua
    p3 disputes 2 move 5.0 nhầm
    decide 25 kept xem lại rồi
    round lead p3
    p3 3s
    void 3 chia nhầm
    round lead p3
    result p2 p1 p3 knocked p4 bombed p2 p3 2h
    p3 declares none
    p4 shows 3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h 6s
    settle
    p4 disputes 4 move 31.0 không phải tôi
    correct 31.0 = result p1 p2 p3 knocked p4 bombed p2 p3 2h because nhìn nhầm
    decide 35 corrected đã sửa
    pay p1 p2 5 bia
    p1 disputes 0 payment 38.0 chưa uống
    join Giang
    rename p2 Bính
    revoke watch
    revoke seat p3
    note kneels p2 until-first
    paid p4 p1 1
    end
    ? p1 3s
    reopen còn sớm
    round lead p1 p2 p1 p3 p5
    p1 2s
    p3 4c 4d 4h 4s
    """,
)

BETS = Story(
    "5c1d7f0e-8a3b-4c52-9f61-000000000002",
    {
        "ruleset": "pro-play",
        "rules": {"passing.forward": "yes", "suit-lock": "optional"},
        "players": ["An", "Bình", "Chi"],
        "stake": {"amount": "0.25", "currency": "EUR"},
    },
    """
    note deals p2
    note kneels p1 until-round-over
    note sits p1
    note owes p1 p3 2 highest-two
    note gives p1 p3 2d 2h
    note swaps p3 p2
    note clears p2 each-pile
    ? note clears p2 never
    round opening
    p1 contract guaransheed
    p1 3s
    p2 -
    p3 -
    {"kind": "play", "seat": "p1", "cards": ["9h"], "forward": true}
    p1 4s 5s 6s
    {"kind": "play", "seat": "p2", "cards": ["7s", "8s", "9s"], "locks": true}
    ? p3 Tc Jd Qc
    {"kind": "play", "seat": "p3", "cards": ["Tc", "Jd", "Qc"], "stood": true, "passed": []}
    {"kind": "play", "seat": "p1", "cards": ["Js", "Qs", "Ks"], "passed": []}
    p1 2s
    p1 Ah
    p2 2c
    p3 3d 3h 4d 4h 5d 5h
    p3 3c
    p1 Kc
    p1 Kd
    p1 Kh
    p2 -
    p3 -
    p2 4c 5c 6c 7c 8c 9c Td Jc Qd
    p3 shows 6d 7d 7h
    settle
    ? correct 13.0 = struck | before 12.0 = p1 3c because p2 đã bỏ lượt trước
    correct 23.0 = p1 Qh | 24.2 = p1 Kc because ghi nhầm lá
    {"kind": "confirm", "player": "p2", "round": 1, "seen": 31, "at": "2026-11-21T01:02:03+07:00"}
    ? {"kind": "confirm", "player": "p3", "round": 1, "seen": 29}
    end
    """,
    forgotten=True,
)
