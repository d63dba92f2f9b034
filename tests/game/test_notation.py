"""Reading and writing the notation, and the passes that it infers."""

from dataclasses import replace
from decimal import Decimal

import pytest

from ledger.game import notation
from ledger.game.errors import Code
from ledger.game.fold import turns_by_passing
from ledger.game.moves import Pass
from ledger.game.night import Adjustment, Joined, Night, Stake
from ledger.game.notation import Unreadable
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import after, page, refused, replay_story, run, tags

TAGS = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\n"
WITH_EVERYTHING = """\
tienlen 1
ruleset southern-winner-takes-all
rule passing.locks=no
stake 1000 VND
date 2026-11-20
p1 An
p2 Bình Minh
p3 3s

pay p2 p1 5 late again

round 1 opening p3 p1
p3 3s
p1 -
pay p1 p2 1 chips
"""


def rewritten(text: str, *, strict: bool = False, with_payments: bool = False) -> str:
    return notation.write(notation.replay(notation.read(text), strict=strict), with_payments=with_payments)


def test_canonical_text_read_and_written_again_is_the_same() -> None:
    for story in (*FIRST_OUT.values(), *WHOLE_ROUND.values()):
        once = rewritten(page(story, players=4))
        assert rewritten(once, strict=True) == once


@pytest.mark.parametrize(
    "text",
    [
        TAGS,
        WITH_EVERYTHING,
        f"{TAGS}p3 Chi\n\nround 1 lead p2\np2 5s 5c\np3 9h !\np1 -\np2 2d 2h !\n",
        f"{TAGS}\nround 1 opening\np2 claims {run('s')} 2s\np1 claims {run('c')} 2c\n\nround 2 lead p1 !\n",
        f"{TAGS}\nround 1 opening\np1 {run('s')}\np2 -\np1 2s\np2 declares 2d, 2h, 3c 3d 4c 4d 5c 5d\n",
        f"{TAGS}\nround 1 opening\nresult p2 p1\nbombed p2 p1 2d 2h\np1 shows 3s 2s\n",
        f"{TAGS}\nround 1 opening\nresult p2\nknocked p1\nvoid she had seen the cards\n",
        f"{TAGS}\npay p1 p2 1 x\np3 Em\nnote deals p3\n\nround 1 opening\nresult p3 p1 p2\n",
        f"{TAGS}\nround 1 opening\nvoid misdealt\np3 Em\np4 Phúc\n\nround 2 lead p4 p1 p4 p3\np4 3s 3c\n",
        f"{TAGS}\nround 1 opening\np1 - !\np2 {run('s')}\np1 -\np2 2s\np1 shows {run('c')} 2h\n",
    ],
)
def test_text_is_its_own_canonical_form(text: str) -> None:
    assert rewritten(text, strict=True) == text


PLAIN = page("p1 3s 3h\np2 -\np3 Th Tc\np4 -\np1 2s 2h\np3 -")


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [
        ("Th Tc", "10h 10C"),
        ("Th Tc", "tC tH"),
        ("3s 3h", "3♠ 3♥"),
        ("3s 3h", "3♥\ufe0f 3♠\ufe0e"),
        ("Th Tc", "10♥ 10♣\ufe0f"),
        ("2s 2h", "2h 2s"),
        ("p2 -", "p2 –"),
        ("p2 -", "  p2\t  -  ; a pass"),
        ("p2 -", "; nothing\n\n \t\np2 -"),
        ("p1 3s 3h", "p1   3s\t3h"),
        ("p1 3s 3h", f"p1 3s 3h  ; {'a long comment, ' * 9}"),
        ("tienlen 1", "\ufefftienlen   1 ; a night"),
        ("tienlen 1", "; first\n\ntienlen 1"),
        ("ruleset southern-classic", "ruleset\t southern-classic"),
        ("p2 Bình", "p2  \t Bình  ; who is late"),
        ("\n", "\r\n"),
        ("\n", "\n\n"),
        ("p4 -\n", ""),
        ("round 1 opening", "round 1"),
        ("round 1 opening", "round 1 opening p1 p2 p3 p4"),
        ("round 1 opening", "round 1 opening !"),
        ("p2 -", "p2 - !"),
    ],
)
def test_what_is_read_also_gives_the_same_night(written: str, otherwise: str) -> None:
    assert written in PLAIN
    count = -1 if written == "\n" else 1
    assert rewritten(PLAIN.replace(written, otherwise, count)) == rewritten(PLAIN)


NAMED = "tienlen 1\nruleset southern-classic\np1 An\np2 Bà Năm\np3 An Bình\nround 1 opening\n"


@pytest.mark.parametrize(
    ("written", "tagged"),
    [
        ("An 3s\nbà  năm 4s", "p1 3s\np2 4s"),
        ("AN BÌNH 3s ; the longer one is meant", "p3 3s"),
        ("pay Bà Năm an 2 An đến trễ", "pay p2 p1 2 An đến trễ"),
        ("pay p2 An 2 An", "pay p2 p1 2 An"),
        ("void An chia nhầm", "void An chia nhầm"),
        ("result Bà Năm An Bình An\nbombed Bà Năm An 2d", "result p2 p3 p1\nbombed p2 p1 2d"),
        ("note owes Bà Năm An 2 any-two", "note owes p2 p1 2 any-two"),
        ("void x\nround 2 lead An An Bà Năm\nAn 3s", "void x\nround 2 lead p1 p1 p2\np1 3s"),
        ("p4 Em\nEm 3s !", "p4 Em\np4 3s !"),
        ("p1 3s\np2 4s\np3 An", None),
        ("Em 3s", None),
        ("An xin chào", None),
        ("void x\nAn 3s", None),
        (f"result An {'p2 ' * 500}", None),
    ],
)
def test_a_name_may_stand_for_its_tag(written: str, tagged: str | None) -> None:
    if tagged is None:
        with pytest.raises(Unreadable):
            notation.read(NAMED + written)
    else:
        assert notation.read(NAMED + written).entries == notation.read(NAMED + tagged).entries


@pytest.mark.parametrize("name", ["3h", "5", "lead", "None", "An Bình", "-", "x" * 65])
def test_a_name_that_reads_as_something_else_or_is_anothers_stands_for_nobody(name: str) -> None:
    with pytest.raises(Unreadable):
        notation.read(NAMED.replace("p1 An\n", f"p1 {name}\n") + f"{name} 3s")
    assert notation.read(NAMED.replace("p1 An\n", "p1 p2\n") + "p2 3s").rounds[0].moves[0].player == 1


def test_a_player_may_be_called_like_a_word_within_a_move() -> None:
    text = NAMED.replace("p1 An\n", "p1 Shows\n")
    assert notation.read(text + "Bà Năm shows 3s").entries == notation.read(text + "p2 shows 3s").entries


def test_a_name_keeps_its_spaces_single_and_any_other_character() -> None:
    text = page("round 1").replace("p2 Bình", "p2 Bình\t  «Tí» 3s = !")
    assert notation.read(text).names[1] == "Bình «Tí» 3s = !"


@pytest.mark.parametrize(
    ("written", "amount"), [("1000 VND", "1000"), ("0.50 EUR", "0.50"), ("0.0001  XAU", "0.0001")]
)
def test_a_stake_keeps_the_decimals_it_was_written_with(written: str, amount: str) -> None:
    text = page("round 1").replace("p1 An", f"stake {written}\np1 An")
    script = notation.read(text)
    assert script.terms.stake == Stake(Decimal(amount), written.split()[1])
    assert " ".join(f"stake {written}".split()) in rewritten(text).splitlines()


def test_house_rules_change_the_ruleset_and_are_written_again() -> None:
    night = replay_story(
        "round 1", rules=["passing.locks = no", "payments.full_hand=6", "deal.direction=clockwise"]
    )
    assert (night.ruleset.passing.locks, night.ruleset.payments.full_hand) == (False, 6)
    assert [line for line in notation.write(night).splitlines() if line.startswith("rule ")] == [
        "rule deal.direction=clockwise",
        "rule passing.locks=no",
        "rule price.full-hand=6",
    ]


def test_a_house_rule_that_says_what_the_preset_says_is_not_written() -> None:
    assert "rule " not in notation.write(replay_story("round 1", rules=["passing.locks=yes"])).replace(
        "ruleset", ""
    )


def test_adjustments_are_part_of_the_night_wherever_they_are_written() -> None:
    night = replay_story("pay p2 p1 5 late  again\nround 1\np1 3s\npay p3 p4 1 chips\np2 4s")
    assert night.adjustments == [Adjustment(1, 0, 5, "late again"), Adjustment(2, 3, 1, "chips")]
    assert len(night.rounds[0].moves) == 2
    assert notation.write(night).endswith("p1 3s\np2 4s\npay p3 p4 1 chips\n")


def test_what_a_line_cannot_hold_is_a_space_in_names_and_reasons() -> None:
    """An imported exact log may contain a line break, after which a name would begin a line of its own."""
    night = replay_story("round 1\nvoid misdealt\npay p2 p1 5 late")
    names = tuple("Bình\npay p1 p2 9 tip" if name == "Bình" else name for name in night.names)
    entries = tuple(
        replace(one, reason="late; = p1 p2 1") if isinstance(one, Adjustment) else one
        for one in night.entries
    )
    written = notation.write(replace(night, names=names, entries=entries))
    assert "\np2 Bình pay p1 p2 9 tip\n" in written
    assert "pay p2 p1 5 late = p1 p2 1" in written
    assert rewritten(written) == written


# Inferred passes, of which `tests/cases/rounds/inferred-passes.txt` has further ones


def test_inferred_passes_give_the_night_that_written_passes_give() -> None:
    short = page("p1 3s\np4 5s\np1 6s\np1 3h")
    assert rewritten(rewritten(short), strict=True) == rewritten(short)


@pytest.mark.parametrize(
    ("story", "player", "passes"),
    [
        ("p1 3s", 3, [1, 2]),
        ("p1 3s", 1, []),
        ("p1 3s", 0, [1, 2, 3]),
        # It cannot become the turn of a locked player, or of a player other than the leader.
        ("p1 3s\np2 -\np3 4s", 1, []),
        ("round 1 lead p1", 1, []),
        # No particular player is to act.
        ("round 1 opening", 1, []),
        (f"p1 {run('s')}\np1 2s", 1, []),
    ],
)
def test_the_passes_that_would_bring_a_players_turn_about(story: str, player: int, passes: list[int]) -> None:
    turns = dict(reversed(list(turns_by_passing(after(story)))))
    assert turns.get(player, ()) == tuple(map(Pass, passes))


def test_whoever_leads_after_all_have_passed_may_be_who_is_to_act() -> None:
    gone = after("p1 3s\np2 4s\np3 5s\np1 2s\np2 -\np3 -\np1 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", players=3)
    assert list(turns_by_passing(gone)) == [(1, ()), (2, (Pass(1),)), (1, (Pass(1), Pass(2)))]


def test_strict_infers_no_passes() -> None:
    error = refused("p1 3s\np4 5s", strict=True)
    assert (error.line, error.move, error.refusal.code) == (9, 2, Code.NOT_YOUR_TURN)


# Written payments


def disagreements(story: str) -> list[tuple[int, int, int, int]]:
    script = notation.read(page(story))
    night = notation.replay(script)
    return [
        (one.line, one.round, len(one.missing), len(one.unexpected))
        for one in notation.disagreements(script, night)
    ]


PAID = "= p3 p2 1 placement\n= p4 p1 2 placement\n= p4 p3 2 hoarding-penalty"
FIRST_PAID = 8 + len(WHOLE_ROUND[4].splitlines())


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", []),
        (PAID, []),
        ("\n".join(reversed(PAID.splitlines())), []),
        ("=  p3  p2 1\tplacement ; in cash\n= p4 p1 2 placement\n= p4 p3 2 hoarding-penalty", []),
        ("= none", [(FIRST_PAID, 1, 3, 0)]),
        ("= p4 p1 2 placement", [(FIRST_PAID, 1, 2, 0)]),
        (f"{PAID}\n= p4 p1 2 placement", [(FIRST_PAID, 1, 0, 1)]),
        (f"{PAID}\n= p4 p1 2 bomb-bonus", [(FIRST_PAID, 1, 0, 1)]),
        (PAID.replace("p4 p1 2", "p4 p1 3"), [(FIRST_PAID, 1, 1, 1)]),
        (PAID.replace("p4 p1 2", "p1 p4 2"), [(FIRST_PAID, 1, 1, 1)]),
    ],
)
def test_payment_lines_are_complete_or_disagree(
    lines: str, expected: list[tuple[int, int, int, int]]
) -> None:
    assert disagreements(f"{WHOLE_ROUND[4]}\n{lines}") == expected


def test_payment_lines_of_none_agree_where_nothing_is_paid() -> None:
    assert disagreements("p1 3s\n= none") == []
    assert disagreements("p1 3s\n= p1 p2 1 placement") == [(9, 1, 0, 1)]


def test_payment_lines_are_written_on_request() -> None:
    text = page(f"{WHOLE_ROUND[4]}\n{PAID}\nround 2")
    assert "=" not in rewritten(text)
    whole = rewritten(text, with_payments=True)
    assert f"\n{PAID}\n" in whole
    assert whole.endswith("round 2 lead p1\n= none\n")
    assert rewritten(whole, with_payments=True) == whole


# Headers.


def test_headers_that_are_left_out_are_filled_in() -> None:
    night = replay_story(f"round 1\np1 {run('s')}\np1 2s\nround 2\np1 3s\np1 2s 2c 2d 2h")
    headers = [line for line in notation.write(night).splitlines() if line.startswith("round")]
    assert headers == ["round 1 opening", "round 2 lead p1"]


def test_headers_name_the_seats_where_they_change() -> None:
    two_rounds = f"round 1 opening p2 p1\np1 {run('s')}\np1 2s\nround 2 lead p1\np1 {run('h')}\np1 2h"
    night = replay_story(f"{two_rounds}\nround 3 lead p1 p1 p3")
    headers = [line for line in notation.write(night).splitlines() if line.startswith("round")]
    assert headers == ["round 1 opening p2 p1", "round 2 lead p1", "round 3 lead p1 p1 p3"]
    assert tags(night.rounds[2].header.seats) == "p1 p3"


def test_headers_are_written_with_seats_where_these_are_not_turned_round() -> None:
    story = "round 1 opening\nresult p2 p3 p4 p1\nround 2 opening p4 p3 p2 p1\nvoid x\nround 3 opening p1 p2 p3 p4"
    text = notation.write(replay_story(story, ruleset="casual"))
    headers = [line for line in text.splitlines() if line.startswith("round")]
    assert headers == ["round 1 opening", "round 2 opening", "round 3 opening p1 p2 p3 p4"]
    assert rewritten(text) == text


def test_a_night_without_a_round_is_a_night() -> None:
    night = notation.replay(notation.read("tienlen 1\nruleset southern-classic\np1 An\np2 Bình"))
    assert isinstance(night, Night)
    assert night.rounds == []


def test_a_refusal_names_its_line_round_and_move() -> None:
    error = refused(f"{WHOLE_ROUND[4]}\n\n; the second\nround 2\np1 3s\np2 3s")
    assert (error.round, error.move, error.refusal.code) == (2, 2, Code.CARD_ALREADY_PLAYED)
    assert error.line == FIRST_PAID + 4


# Joining


def test_whoever_joins_is_in_the_night_from_there_on() -> None:
    night = replay_story("round 1 opening p1 p2\nvoid misdealt\np5 Em\nround 2 lead p5 p5 p1")
    assert (night.names[-1], night.entries[1]) == ("Em", Joined(4))
    error = refused("round 1 opening p1 p2\nvoid misdealt\nround 2\np1 3s\np5 Em\np5 4s")
    assert error.refusal.code is Code.NOT_SEATED


def test_nobody_sits_in_before_having_joined() -> None:
    with pytest.raises(Unreadable, match=r"a player of this night \(p1 to p4\)"):
        replay_story("round 1 opening p1 p5\nvoid misdealt\np5 Em")


def test_whoever_joined_before_anything_else_happened_was_there_from_the_start() -> None:
    night = replay_story("round 1 opening p1 p2")
    joined = replace(night, entries=(Joined(2), Joined(3), *night.entries))
    assert notation.write(joined) == notation.write(night)


def test_everybody_who_is_there_by_then_sits_in_the_first_round() -> None:
    text = f"{TAGS}\npay p1 p2 1 x\np3 Em\n\nround 1\n"
    assert notation.replay(notation.read(text)).rounds[0].header.seats == (0, 1, 2)


def test_void_rounds_and_results_are_borne_out_by_their_payments() -> None:
    assert disagreements("result p1 p2 p3 p4\n= p3 p2 1 placement\n= p4 p1 2 placement") == []
    assert disagreements("result p1 p2 p3 p4\nvoid misdealt\n= none") == []
    assert disagreements("result p1 p2 p3 p4\n= p4 p1 2 placement\nvoid misdealt") == [(9, 1, 0, 1)]
