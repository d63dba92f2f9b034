"""An example night in the lines of tests/recorder/tables.py; each round ends in a different way."""

A_NIGHT = """
    round opening
    p1 claims 3d 4s 4c 5d 5h 6c 6d 8c 8h 9d 9h Qs Qc
    settle

    round opening
    p1 3s
    p2 2d
    p3 4s 4c 4d 4h
    p4 -
    p1 -
    p2 -
    p3 5s 6s 7s 8s 9s Ts Js Qs Ks
    p1 -
    p2 -
    p1 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac
    p2 -
    p1 6d 6h
    p2 declares none
    p4 declares 2s, 2c, 2h
    settle

    round lead p3
    p3 3s
    void 3 chia nhầm

    round lead p3
    result p2 p1 p3 knocked p4 bombed p2 p3 2h
    p3 declares none
    p4 declares none
    settle

    round lead p2
    p2 2s
    p3 4s 4c 4d 4h
"""
"""Round 1: An has an instant win. 2: Chi bombs Bình's 2♦ and is first. 3: a misdeal. 4: Bình is first and bombed
Chi's 2♥, recorded as a result. 5: Chi has just bombed Bình's 2♠."""
