"""Every example that a source prints is a round of a record: which file has it, and what lies on what in it."""

from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.cards import Card
from ledger.game.moves import Claim, Play
from ledger.game.notation import tag
from ledger.game.payments import post
from ledger.game.round import Round
from ledger.game.scoring import payments
from tests.game.test_records import RECORDS

# File -> its rounds in their order. `A < B`: B is laid on A. `net`: what each player wins or loses, whoever is left
# with 2s or bombs among it. `claims`: the hand that wins at once. `pays`: a payment of the round.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "amsterdam-01": (
        "2h < 4s 4c 4d 4h < 6s 6c 7s 7c 8s 8c < 9s 9c 9d 9h",
        "net 1 0 -1",
    ),
    "family-01": (
        "6d 6h < 8s 8h < Ts Td",
        "9d Tc Jc",
    ),
    "printed-southern-piles-of-two": (
        "7c 7d < 7s 7h",
        "8d 9h Ts < 8s 9d Th",
        "2c 2h < 4s 4c 4d 4h",
        "3s 3c 4s 4c 5s 5c < 7s 7c 8s 8c 9s 9c",
        "pays p2 p1 3 hoarding-penalty",
    ),
    "printed-southern-piles-of-three": (
        "2d < 2h < 6s 6c 7s 7c 8s 8c",
        "2c < Js Jc Qs Qc Ks Kc < 3s 3c 3d 3h",
        "2c < 2h < 4s 4c 4d 4h",
        "5h < 2h < 4s 4c 5s 5c 6s 6c 7s 7c",
    ),
    "printed-southern-places": (
        "net 2 1 1 -4",
        "net 11 0 -5 -6",
        "claims 3s 3c 3d 3h 5s 5c 7s 7c 9s 9c Js Jc Ah",
        "claims 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c Td Qd Ah",
        "claims 4s 4c 4d 5s 5c 5d 6s 6c 6d 8h Th Qh Ac",
        "claims 4s 5s 7s 8s 9h Tc Jc Kd Ad 2s 2c 2d 2h",
        "claims 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2d",
        "claims 3s 3d 4s 4c 5s 5c 7d 9d Th Jd Kd Ah 2s",
    ),
    "printed-southern-three-places": ("net 3 -1 -2",),
    "printed-southern-winner-takes-all": ("net 13 -2 -4 -7",),
    "printed-family": (
        "7c 7d < 7s 7h; 2s < Td Th Jd Jh Qs Qd; 2h < 5s 5c 5d 5h; 2c 2d < 8c 8d 9c 9d Ts Tc Js Jc",
    ),
    "printed-core": (
        "9h Td Jc < 9s Ts Jd",
        "9h Td Jc < Ts Jd Qs",
        "Qs Kd As < Kc Ad 2c",
        "2s < 3s 3c 3d 3h",
        "2s < 4s 4c 5d 5h 6c 6d",
        "2s 2c < 4s 4c 5d 5h 6c 6d 7s 7h",
        "2s 2c 2d < 4s 4c 5d 5h 6c 6d 7s 7h 8c 8d",
    ),
    "printed-viet-cong": (
        "2s < 5s 5c 5d 5h",
        "2s < 4s 4c 5d 5h 6c 6d",
        "2s 2c < 4s 4c 4d 4h 5s 5c 5d 5h",
        "2s 2c < 4s 4c 5d 5h 6c 6d 7s 7h 8c 8d",
        "2s 2c 2d < 4s 4c 4d 4h 5s 5c 5d 5h 6s 6c 6d 6h",
    ),
    "printed-thirteen": (
        "5h 5c < 8d 8s",
        "9c 9d < 9s 9h",
        "4h 4d 4c < 5s 5d 5c",
        "8s 9d Ts < Td Jd Qh",
        "7h 8d 9c < 7s 8c 9h",
        "2h < Ts Td Js Jh Qs Qd",
        "2h < 5s 5c 5d 5h",
        "2s 2h < 9h 9d Ts Tc Js Jh Qs Qd",
        "2s 2c 2h < 8s 8h 9h 9d Ts Tc Js Jh Qs Qd",
    ),
    "printed-thirteen-points": (
        "2s < 3s 3c 4s 4c 5s 5c",
        "2h < 3s 3c 4s 4c 5s 5c",
        "3s 3c 4s 4c 5s 5c < 6s 6c 7s 7c 8s 8c",
        "pays p2 p1 1 hoarding-penalty",
        "pays p2 p1 2 hoarding-penalty",
        "pays p2 p1 2 hoarding-penalty",
    ),
    "printed-thirteen-points-doubling": ("2s < 3s 3c 4s 4c 5s 5c < 6s 6c 7s 7c 8s 8c",),
    "printed-hawaii": ("2h < 6s 6c 7s 7c 8s 8c < 9s 9c 9d 9h",),
    "printed-akita": (
        "4c 4d < 4s 4h",
        "3s 4s 5s < 3c 4c 5c",
        "2s 2c 2d < 4s 4c 4d 4h",
        "9s 9c 9d 9h < 3s 3c 4s 4c 5s 5c",
        "2s 2c 2d 2h < 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad",
        "Ad < 6s 6c 6d",
        "4s 4c < 3s 3c 3d 3h",
    ),
    "printed-melbourne": (
        "3s 4d 5h < 6s 7d 8h",
        "4d 5d 6d < 6s 7s 8s",
        "Jd Qd Kc < Jc Qc Kd",
        "Ah < 5s 5c 5d",
        "2h < Ts Tc Js Jc Qs Qc",
        "5s 5c 5d 5h < 6s 6c 6d 6h",
        "3s 3c 4s 4c 5s 5c 6s 6c < 7s 7c 8s 8c 9s 9c Ts Tc",
    ),
    "printed-interns": (
        "Kd Kc < Ks Kh",
        "2h < 3s 3c 4s 4c 5s 5c",
        "3s 3c 4s 4c 5s 5c < 6s 6c 7s 7c 8s 8c",
        "7s 8d 9h < 9s Ts Js",
    ),
    "printed-casual": (
        "3s 3c 4s 4c 5s 5c < 3d 3h 4d 4h 5d 5h",
        "3s 3c 4s 4c 5s 5c < 4d 4h 5d 5h 6s 6c",
        "6d 6h < 3s 3c 4s 4c 5s 5c",
        "3s 3c 4s 4c 5s 5c < 9s 9c 9d 9h",
        "4s 4c 4d 4h < 9s 9c 9d 9h",
    ),
    "printed-pro-play-ladder": (
        "3s 3c 4s 4c 5s 5c < 9s 9c 9d 9h",
        "5s 5c 5d 5h < Ks Kc As Ac 2s 2c",
        "Ks Kc As Ac 2s 2c < 3s 3c 4s 4c 5s 5c 6s 6c",
        "3s 3c 4s 4c 5s 5c 6s 6c < 8s 8c 8d 8h 9s 9c 9d 9h",
        "8s 8c 8d 8h 9s 9c 9d 9h < 3s 3c 3d 4s 4c 4d 5s 5c 5d",
        "3s 3c 3d 4s 4c 4d 5s 5c 5d < Qs Qc Ks Kc As Ac 2s 2c",
        "Qs Qc Ks Kc As Ac 2s 2c < 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c",
        "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c < Js Jc Qs Qc Ks Kc As Ac 2s 2c",
        "Js Jc Qs Qc Ks Kc As Ac 2s 2c < 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c",
        "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c < Ks Kc Kd As Ac Ad 2s 2c 2d",
        "Ks Kc Kd As Ac Ad 2s 2c 2d < 3s 3c 3d 4s 4c 4d 5s 5c 5d 6s 6c 6d",
        "3s 3c 3d 4s 4c 4d 5s 5c 5d 6s 6c 6d < 9s 9c 9d 9h Js Jc Jd Jh Qs Qc Qd Qh",
        "4s 4c 4d 4h 6s 6c 6d 6h 9s 9c 9d 9h < Ts Tc Js Jc Qs Qc Ks Kc As Ac 2s 2c",
        "3d 3h 4d 4h 5d 5h 6d 6h 7d 7h 8d 8h < Qs Qc Qd Ks Kc Kd As Ac Ad 2s 2c 2d",
        "3d 3h 4d 4h 5d 5h 6d 6h 7d 7h 8d 8h < 2s 2c 2d 2h",
        "2h < 3s 3c 4s 4c 5s 5c",
        "2d 2h < 3s 3c 4s 4c 5s 5c 6s 6c",
        "2c 2d 2h < 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c",
        "Kd Ad 2h < 3s 3c 4s 4c 5s 5c",
    ),
    "printed-pro-play-points": (
        "net 2 1 -1 -2",
        "net 5 0 -2 -3",
        "net 8 -1 -3 -4",
        "net 4 -5 1 0",
    ),
    "printed-northern": (
        "pays p2 p1 26 last-card",
        "net 26 -26",
        "pays p2 p1 26 last-card",
        "net -13 13",
    ),
    "printed-card-count": (
        "pays p2 p1 26 instant-win",
        "pays p3 p2 26 instant-win",
    ),
    "printed-double-deck": ("5h < 5h' < 2h < Kd; 7s 7h < 7s' 7h'",),
}


def files() -> list[Path]:
    return sorted(RECORDS.glob("printed-*.tln"))


def rounds_of(name: str) -> list[Round]:
    text = (RECORDS / f"{name}.tln").read_text(encoding="utf-8")
    return notation.replay(notation.read(text), strict=True).rounds


def written(round: Round, cards: str) -> str:
    """Cards as texts, low to high."""
    deck = round.ruleset.deck
    return " ".join(deck.write(deck.gather(map(Card.read, cards.split()))[0]))


def test_every_file_of_printed_examples_is_in_the_list() -> None:
    assert {path.stem for path in files()} == {name for name in EXAMPLES if name.startswith("printed-")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_file_has_a_round_for_each_of_its_examples(name: str) -> None:
    rounds = rounds_of(name)
    for round, example in zip(rounds, EXAMPLES[name], strict=True):
        word, _, rest = example.partition(" ")
        match word:
            case "net":
                won = post(payments(round))
                assert [won.get(player, 0) for player in round.header.seats] == list(map(int, rest.split()))
            case "claims":
                claims = [move for move in round.moves if isinstance(move, Claim)]
                shown = [" ".join(round.ruleset.deck.write(claim.cards)) for claim in claims]
                assert written(round, rest) in shown
            case "pays":
                paid = [
                    f"{tag(one.payer)} {tag(one.payee)} {one.points} {one.reason}" for one in payments(round)
                ]
                assert rest in paid
            case _:
                plays = [
                    " ".join(round.ruleset.deck.write(move.cards))
                    for move in round.moves
                    if isinstance(move, Play)
                ]
                for pile in example.split("; "):
                    laid = " < ".join(written(round, cards) for cards in pile.split(" < "))
                    assert f" < {laid} < " in f" < {' < '.join(plays)} < "


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_file_of_examples_says_before_each_round_what_the_source_says_and_after_it_what_is_paid(
    path: Path,
) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    begun = [place for place, line in enumerate(lines) if line.startswith("round")]
    assert all(lines[place - 1].startswith("; ") for place in begun)
    for place, following in zip(begun, [*begun[1:], len(lines)], strict=True):
        assert any(line.startswith("=") for line in lines[place:following])
