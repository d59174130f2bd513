"""Chess on bit boards (`chess_board.py`, `chess_moves.py`), with FEN, UCI moves and SAN (`chess_text.py`).

A state is (mine, step, diagonal, straight, special, clock, side). The first four boards say what stands where, seen by
the player to move; `special` holds the corners whose rook may still castle and, on the sixth rank, the square where a
pawn can be captured in passing. That square is there only if such a capture is legal: so two states with the same
possibilities are equal, as the rule of threefold repetition wants it. `clock` counts the plies since the last capture
or move of a pawn; side is 0 for white.

A game is over by checkmate and stalemate; after fifty moves of each player without a capture or a move of a pawn (a
checkmate counts first); and when no mate is possible by material alone: bare kings, a single knight, or only bishops
that all stand on squares of one colour. A state has no history, so repetitions are for others to count.
"""

from typing import Any, Literal

import numpy as np

from ludus.kernel.bits import popcount
from ludus.library.games.chess import text as chess_text
from ludus.library.games.chess.board import ONE, RANK_1, RANK_6, RANK_8, S2, S8, S16, ZERO, in_check, turned
from ludus.library.games.chess.moves import (
    A1,
    ANY_PIECE,
    H1,
    QUEENS,
    REMOVED,
    can_move,
    captors_in_passing,
    legal_moves,
)
from ludus.model.game import Game

FIFTY_MOVES = 100
CORNERS = np.uint64(0x8100000000000081)
A1_D1, D1, F1_H1, F1 = np.uint64(0x09), np.uint64(0x08), np.uint64(0xA0), np.uint64(0x20)
DARK = np.uint64(0xAA55AA55AA55AA55)


def mate_is_possible(step, diagonal, straight):
    """Is there more than bare kings, a single knight, or bishops that all stand on squares of one colour?"""
    if step & ~(diagonal | straight) | straight & ~step != ZERO:  # a pawn, a rook or a queen
        return True
    knights, bishops = step & diagonal, diagonal & ~step
    if knights != ZERO:
        return bishops != ZERO or knights & (knights - ONE) != ZERO
    return bishops & DARK != ZERO and bishops & ~DARK != ZERO


def king_is_taken(mine, step, diagonal, straight):
    """Does the mover attack the opponent's king? In a real game he never does: the opponent has just moved."""
    theirs = (step | diagonal | straight) & ~mine
    return in_check(turned(theirs), turned(step), turned(diagonal), turned(straight))


def lead(mine, men):
    """How many more of these men the mover has than the opponent."""
    return 2 * popcount(mine & men) - popcount(men)


def lead_on_rank(mine, theirs, shift):
    """How many more the mover has on the rank that begins with this bit; each side's men are seen by that side."""
    return popcount(mine >> shift & RANK_1) - popcount(theirs >> shift & RANK_1)


class Chess(Game):
    """Chess; a pawn on the last rank becomes any piece, always a queen, or is removed (`promotion`)."""

    name = "chess"
    evaluator = "positional"
    notation = "pgn"
    repetition = 3
    feature_names = ("pawn", "knight", "bishop", "rook", "queen", *(f"pawn-{rank}" for rank in range(3, 8)))
    max_moves = 415  # 15 queens with 27 squares each, a king with 8, castling; in real games 218 are possible

    def __init__(self, promotion: Literal["all", "queen", "none"] = "all") -> None:
        self.promotion = {"all": ANY_PIECE, "queen": QUEENS, "none": REMOVED}[promotion]

    def initial(self):
        men = (0xFFFF, 0x52FF00000000FF52, 0x6E0000000000006E, 0x9900000000000099)
        return (*map(np.uint64, men), CORNERS, 0, 0)

    def moves(self, state, out):
        mine, step, diagonal, straight, special, clock, _ = state
        if clock >= FIFTY_MOVES or not mate_is_possible(step, diagonal, straight):
            return 0
        return legal_moves(mine, step, diagonal, straight, special, self.promotion, out)

    def play(self, state, move):
        mine, step, diagonal, straight, special, clock, side = state
        origin, target = ONE << np.uint64(move & 63), ONE << np.uint64(move >> 6 & 63)
        steps, diagonally, straightly = step & origin != ZERO, diagonal & origin != ZERO, straight & origin != ZERO
        clock = clock + 1 if target & (step | diagonal | straight) == ZERO else 0
        gone, passed = origin | target, ZERO
        mine ^= gone
        if steps and straightly:
            special &= ~RANK_1
            if target == origin << S2:  # castling: the rook crosses
                gone, mine, straight = gone | H1, mine ^ F1_H1, straight | F1
            elif target == origin >> S2:
                gone, mine, straight = gone | A1, mine ^ A1_D1, straight | D1
        elif steps and not diagonally:
            clock = 0
            if target == special & RANK_6:
                gone |= target >> S8
            elif target == origin << S16:
                passed = origin << S8
            elif target & RANK_8 != ZERO:
                piece = move >> 12
                steps, diagonally, straightly = piece & 1 != 0, piece & 2 != 0, piece & 4 != 0
        step = turned(step & ~gone | (target if steps else ZERO))
        diagonal = turned(diagonal & ~gone | (target if diagonally else ZERO))
        straight = turned(straight & ~gone | (target if straightly else ZERO))
        theirs = (step | diagonal | straight) & ~turned(mine)
        passed = turned(passed)
        if passed != ZERO and captors_in_passing(theirs, step, diagonal, straight, passed) == ZERO:
            passed = ZERO
        return (theirs, step, diagonal, straight, turned(special & CORNERS & ~gone) | passed, clock, 1 - side)

    def over(self, state):
        """Whether there are no moves, without listing them."""
        mine, step, diagonal, straight, special, clock, _ = state
        if clock >= FIFTY_MOVES or not mate_is_possible(step, diagonal, straight):
            return True
        return not can_move(mine, step, diagonal, straight, special, self.promotion)

    def score(self, state):
        mine, step, diagonal, straight, special, _, _ = state
        if not in_check(mine, step, diagonal, straight):
            return 1 if king_is_taken(mine, step, diagonal, straight) else 0
        return 0 if can_move(mine, step, diagonal, straight, special, self.promotion) else -1

    def null(self, state):
        """Who passes in check loses his king: then the game is over, which the clock says, and won by the other."""
        mine, step, diagonal, straight, special, clock, side = state
        theirs = (step | diagonal | straight) & ~mine
        clock = FIFTY_MOVES if in_check(mine, step, diagonal, straight) else clock + 1
        men = (turned(theirs), turned(step), turned(diagonal), turned(straight))
        return (*men, turned(special & CORNERS), clock, 1 - side)

    def noisy(self, state, move):
        """A capture or a promotion."""
        _, step, diagonal, straight, special, _, _ = state
        origin, target = ONE << np.uint64(move & 63), ONE << np.uint64(move >> 6 & 63)
        if target & (step | diagonal | straight) != ZERO:
            return True
        return origin & step & ~(diagonal | straight) != ZERO and target & (special & RANK_6 | RANK_8) != ZERO

    def phase(self, state):
        """By the pieces that are left: 1 for a bishop or a knight, 2 for a rook, 4 for a queen, 24 at first."""
        _, step, diagonal, straight, _, _, _ = state
        small, queens = popcount(diagonal & ~straight), popcount(diagonal & straight)
        rooks = popcount(straight & ~(step | diagonal))
        return max(1.0 - (small + 2 * rooks + 4 * queens) / 24, 0.0)

    def lowest(self, state):
        """A bare king never wins."""
        mine, step, diagonal, straight, _, _, _ = state
        return 0 if popcount((step | diagonal | straight) & ~mine) == 1 else -1

    def highest(self, state):
        return 0 if popcount(state[0]) == 1 else 1

    def features(self, state, numbers):
        """Five men, the mover's less the opponent's; then the pawns on ranks 3 to 7, each side's as it sees them."""
        mine, step, diagonal, straight, _, _, _ = state
        pawns = step & ~(diagonal | straight)
        numbers[0] = lead(mine, pawns)
        numbers[1] = lead(mine, step & diagonal)
        numbers[2] = lead(mine, diagonal & ~(step | straight))
        numbers[3] = lead(mine, straight & ~(step | diagonal))
        numbers[4] = lead(mine, diagonal & straight)
        my_pawns, their_pawns = mine & pawns, turned(pawns & ~mine)
        for rank in range(2, 7):
            numbers[3 + rank] = lead_on_rank(my_pawns, their_pawns, np.uint64(8 * rank))
        return 10

    def position_key(self, state):
        """All but the clock."""
        return state[:5] + state[6:]

    # For people.

    def mover(self, state):
        return int(state[6])

    def winner(self, state):
        return 1 - int(state[6]) if self.is_check(state) and not self.answers(state) else None

    def is_check(self, state):
        """Is the player to move in check?"""
        with np.errstate(over="ignore"):
            return bool(in_check(*state[:4]))

    def answers(self: Any, state):
        """The moves that leave no king in check, also where fifty moves or bare material have ended the game."""
        mine, step, diagonal, straight, special, *_ = state
        out = self.buffer()
        with np.errstate(over="ignore"):
            n = legal_moves(mine, step, diagonal, straight, special, self.promotion, out)
        return [int(move) for move in out[:n]]

    def state_text(self, state):
        """FEN. The number of the move, which changes nothing, is not part of a state: always 1."""
        return chess_text.write_fen(state)

    def parse_state(self, text):
        return chess_text.read_fen(text)

    def move_name(self, state, move):
        """As UCI writes it: `e2e4`, `e7e8q`, `e1g1`."""
        return chess_text.write_uci(state, move)

    def san(self, state, move):
        """A move in standard algebraic notation: `Nbd7`, `exd8=Q+`, `O-O`."""
        return chess_text.write_san(self, state, move)

    def parse_move(self: Any, state, text):
        """A legal move, as UCI writes it or in standard algebraic notation."""
        return chess_text.read_move(state, self.legal(state), text)

    def game_text(self, players, opening, moves, score, about):
        """PGN, which chess programs read; the moves of the opening come before the players'."""
        return chess_text.write_pgn(self, players, opening, moves, score, about)

    def render(self, state):
        return chess_text.render(state)

    def diagram(self, state):
        """White at the bottom."""
        return chess_text.diagram(state)

    def gesture(self, state, move):
        """From and to; what a pawn becomes is left open."""
        name = chess_text.write_uci(state, move)
        return [name[:2], name[2:4]]

    def svg(self, state):
        """The board for notebooks and pages, white at the bottom."""
        return chess_text.draw(state)
