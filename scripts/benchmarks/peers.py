"""The same work with other games' libraries: whole recorded games, read from text, judged and played."""

import warnings
from dataclasses import dataclass

import chess
from pokerkit import Automation, NoLimitTexasHoldem
from pokerkit.notation import parse_action

# Five famous games, to mate or resignation.
_GAMES = {
    "Morphy, Paris 1858": """
        e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5
        c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8""",
    "Anderssen, London 1851": """
        e2e4 e7e5 f2f4 e5f4 f1c4 d8h4 e1f1 b7b5 c4b5 g8f6 g1f3 h4h6 d2d3 f6h5 f3h4 h6g5 h4f5 c7c6 g2g4 h5f6
        h1g1 c6b5 h2h4 g5g6 h4h5 g6g5 d1f3 f6g8 c1f4 g5f6 b1c3 f8c5 c3d5 f6b2 f4d6 c5g1 e4e5 b2a1 f1e2 b8a6
        f5g7 e8d8 f3f6 g8f6 d6e7""",
    "Byrne – Fischer, New York 1956": """
        g1f3 g8f6 c2c4 g7g6 b1c3 f8g7 d2d4 e8g8 c1f4 d7d5 d1b3 d5c4 b3c4 c7c6 e2e4 b8d7 a1d1 d7b6 c4c5 c8g4
        f4g5 b6a4 c5a3 a4c3 b2c3 f6e4 g5e7 d8b6 f1c4 e4c3 e7c5 f8e8 e1f1 g4e6 c5b6 e6c4 f1g1 c3e2 g1f1 e2d4
        f1g1 d4e2 g1f1 e2c3 f1g1 a7b6 a3b4 a8a4 b4b6 c3d1 h2h3 a4a2 g1h2 d1f2 h1e1 e8e1 b6d8 g7f8 f3e1 c4d5
        e1f3 f2e4 d8b8 b7b5 h3h4 h7h5 f3e5 g8g7 h2g1 f8c5 g1f1 e4g3 f1e1 c5b4 e1d1 d5b3 d1c1 g3e2 c1b1 e2c3
        b1c1 a2c2""",
    "Fischer – Spassky, Reykjavík 1972": """
        c2c4 e7e6 g1f3 d7d5 d2d4 g8f6 b1c3 f8e7 c1g5 e8g8 e2e3 h7h6 g5h4 b7b6 c4d5 f6d5 h4e7 d8e7 c3d5 e6d5
        a1c1 c8e6 d1a4 c7c5 a4a3 f8c8 f1b5 a7a6 d4c5 b6c5 e1g1 a8a7 b5e2 b8d7 f3d4 e7f8 d4e6 f7e6 e3e4 d5d4
        f2f4 f8e7 e4e5 c8b8 e2c4 g8h8 a3h3 d7f8 b2b3 a6a5 f4f5 e6f5 f1f5 f8h7 c1f1 e7d8 h3g3 a7e7 h2h4 b8b7
        e5e6 b7c7 g3e5 d8e8 a2a4 e8d8 f1f2 d8e8 f2f3 e8d8 c4d3 d8e8 e5e4 h7f6 f5f6 g7f6 f3f6 h8g8 d3c4 g8h8
        e4f4""",
    "Kasparov – Topalov, Wijk aan Zee 1999": """
        e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 c1e3 f8g7 d1d2 c7c6 f2f3 b7b5 g1e2 b8d7 e3h6 g7h6 d2h6 c8b7 a2a3 e7e5
        e1c1 d8e7 c1b1 a7a6 e2c1 e8c8 c1b3 e5d4 d1d4 c6c5 d4d1 d7b6 g2g3 c8b8 b3a5 b7a8 f1h3 d6d5 h6f4 b8a7
        h1e1 d5d4 c3d5 b6d5 e4d5 e7d6 d1d4 c5d4 e1e7 a7b6 f4d4 b6a5 b2b4 a5a4 d4c3 d6d5 e7a7 a8b7 a7b7 d5c4
        c3f6 a4a3 f6a6 a3b4 c2c3 b4c3 a6a1 c3d2 a1b2 d2d1 h3f1 d8d2 b7d7 d2d7 f1c4 b5c4 b2h8 d7d3 h8a8 c4c3
        a8a4 d1e1 f3f4 f7f5 b1c1 d3d2 a4a7""",
}


def chess_games() -> list[list[str]]:
    """Games as lists of plies in UCI."""
    return [text.split() for text in _GAMES.values()]


def play_chess(games: list[list[str]]) -> None:
    """Read, judge and play whole games, and compute their outcomes."""
    for plies in games:
        board = chess.Board()
        for ply in plies:
            board.push_uci(ply)
        board.outcome()


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of no-limit hold'em. `actions` are in PHH notation, including the dealer's."""

    ante: int
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    actions: tuple[str, ...]

    @property
    def played(self) -> int:
        """The number of the players' actions."""
        return sum(action.startswith("p") for action in self.actions)


# One real hand (Dwan – Ivey, 2009; the folded cards are made up), and three typical ones.
_HANDS = (
    (
        500,
        (1000, 2000),
        (1_125_600, 2_000_000, 553_500),
        """d dh p1 Ac2d, d dh p2 5h7d, d dh p3 7h6h, p3 cbr 7000, p1 cbr 23000, p2 f, p3 cc,
        d db Jc3d5c, p1 cbr 35000, p3 cc, d db 4h, p1 cbr 90000, p3 cbr 232600, p1 cbr 1067100, p3 cc,
        p1 sm Ac2d, p3 sm 7h6h, d db Jh""",
    ),
    (
        0,
        (1, 2),
        (200, 200, 200, 200),
        """d dh p1 8s7s, d dh p2 AhQd, d dh p3 9c9d, d dh p4 Kh2c, p3 cbr 6, p4 f, p1 f, p2 cc,
        d db 9s4dQc, p2 cc, p3 cbr 8, p2 cc, d db 2h, p2 cc, p3 cbr 20, p2 cc,
        d db 7d, p2 cc, p3 cbr 60, p2 cc, p3 sm 9c9d, p2 sm -""",
    ),
    (
        0,
        (50, 100),
        (10_000, 10_000),
        """d dh p1 JdTd, d dh p2 KsKc, p2 cbr 300, p1 cc, d db 9d8dKh, p1 cc, p2 cbr 400, p1 cbr 1300, p2 cc,
        d db 2s, p1 cbr 2200, p2 cc, d db Qc, p1 cbr 6200, p2 cc, p1 sm JdTd, p2 sm -""",
    ),
    (
        0,
        (1, 2),
        (200, 200, 200, 200, 200, 200),
        """d dh p1 Ts9s, d dh p2 5c5d, d dh p3 AdKd, d dh p4 Jh3c, d dh p5 Qs8h, d dh p6 6h6c,
        p3 cbr 5, p4 f, p5 f, p6 cc, p1 cc, p2 cc, d db Kc5s2d, p1 cc, p2 cc, p3 cbr 12, p6 f, p1 f,
        p2 cbr 36, p3 cc, d db Td, p2 cbr 70, p3 cc, d db 3s, p2 cc, p3 cc, p2 sm 5c5d, p3 sm -""",
    ),
)
_BY_THEMSELVES = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.BET_COLLECTION,
    Automation.CARD_BURNING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def poker_hands() -> list[Hand]:
    """Hands from the deal to the chips."""
    return [
        Hand(ante, blinds, stacks, tuple(action.strip() for action in text.split(",")))
        for ante, blinds, stacks, text in _HANDS
    ]


def play_poker(hands: list[Hand]) -> None:
    """Read, judge and play whole hands; the winner has the chips at the end."""
    # pokerkit burns random cards before the board, and warns if a recorded one is dealt later.
    warnings.filterwarnings("ignore", "A card being dealt", UserWarning, "pokerkit")
    for hand in hands:
        state = NoLimitTexasHoldem.create_state(
            _BY_THEMSELVES,
            ante_trimming_status=True,
            raw_antes=hand.ante,
            raw_blinds_or_straddles=hand.blinds,
            min_bet=hand.blinds[1],
            raw_starting_stacks=hand.stacks,
            player_count=len(hand.stacks),
        )
        for action in hand.actions:
            parse_action(state, action)
        assert not state.status
