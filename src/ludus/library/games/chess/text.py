"""Chess for people: FEN, moves as UCI and SAN write them, games as PGN; boards in text and SVG. Squares are white's."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.common.errors import StateError
from ludus.library.games.chess.board import KING, PAWN, QUEEN, in_check, turned
from ludus.library.games.chess.moves import CASTLES_LONG, CASTLES_SHORT, captors_in_passing

if TYPE_CHECKING:
    pass

LETTERS = ".PBNRKQ"
"""The letter of a man by its code."""
FILES = "abcdefgh"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
RIGHTS = {"K": (4, 7), "Q": (4, 0), "k": (60, 63), "q": (60, 56)}
"""Where king and rook must stand, for each right to castle."""
SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])=?([QRBN]?)")


def square_name(square: int) -> str:
    return f"{FILES[square % 8]}{square // 8 + 1}"


def whole_board(state: Any) -> dict[int, str]:
    """What stands where: a letter for each occupied square, capital for white."""
    mine, step, diagonal, straight, side = (int(state[i]) for i in (0, 1, 2, 3, 6))
    found = {}
    for square in range(64):
        seen = square ^ 56 * side  # by the player to move
        letter = LETTERS[(step >> seen & 1) + 2 * (diagonal >> seen & 1) + 4 * (straight >> seen & 1)]
        if letter != ".":
            found[square] = letter if (mine >> seen & 1) != side else letter.lower()
    return found


# FEN.


def write_fen(state: Any) -> str:
    board, side = whole_board(state), int(state[6])
    rows = ["".join(board.get(8 * rank + file, "1") for file in range(8)) for rank in reversed(range(8))]
    men = re.sub("1+", lambda ones: str(len(ones[0])), "/".join(rows))
    special = [square ^ 56 * side for square in range(64) if int(state[4]) >> square & 1]
    castling = "".join(right for right, (_, rook) in RIGHTS.items() if rook in special)
    passed = next((square_name(square) for square in special if square // 8 in (2, 5)), "-")
    return f"{men} {'wb'[side]} {castling or '-'} {passed} {int(state[5])} 1"


def read_fen(text: str) -> Any:
    """The state; a square where no pawn can be captured in passing is dropped, and so is the number of the move."""
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise StateError(f"a position is a FEN of 4 to 6 fields, like {START!r}, not {text!r}.")
    men, turn, castling, passing, clock, number = fields + ["0", "1"][len(fields) - 4 :]
    if turn not in ("w", "b"):
        raise StateError(f"the player to move is w or b in a FEN, not {turn!r}.")
    if not (clock.isdecimal() and number.isdecimal() and len(clock) < 10):
        raise StateError(f"a FEN ends in two whole numbers, not {clock!r} and {number!r}.")
    board, side = _read_board(men), "wb".index(turn)
    codes = {_bit(square, side): LETTERS.index(letter.upper()) for square, letter in board.items()}
    mine = np.uint64(sum(_bit(square, side) for square, letter in board.items() if letter.isupper() == (turn == "w")))
    step, diagonal, straight = (np.uint64(sum(one for one in codes if codes[one] & bit)) for bit in (1, 2, 4))
    special = np.uint64(sum(_bit(corner, side) for corner in _read_rights(castling, board)))
    with np.errstate(over="ignore"):
        theirs = (step | diagonal | straight) & ~mine
        if in_check(turned(theirs), turned(step), turned(diagonal), turned(straight)):
            raise StateError(f"the player who is not to move is in check in {text!r}.")
        if passing != "-":
            passed = np.uint64(_bit(_read_passed(passing, board, side), side))
            if captors_in_passing(mine, step, diagonal, straight, passed):
                special |= passed
    return (mine, step, diagonal, straight, special, int(clock), side)


def _bit(square: int, side: int) -> int:
    """A square as the player to move sees it."""
    return 1 << (square ^ 56 * side)


def _read_board(text: str) -> dict[int, str]:
    rows = [re.sub("[1-8]", lambda empty: "." * int(empty[0]), row) for row in text.split("/")]
    if len(rows) != 8 or any(len(row) != 8 for row in rows) or set(text) - set("/12345678PNBRQKpnbrqk"):
        raise StateError(f"a FEN's board is eight rows of eight squares, in PNBRQK, pnbrqk and digits, not {text!r}.")
    men = "".join(reversed(rows))
    if men.count("K") != 1 or men.count("k") != 1:
        raise StateError(f"a board has one king of each colour, K and k, which {text!r} has not.")
    if "p" in (rows[0] + rows[7]).lower():
        raise StateError(f"a pawn cannot stand on the first or the last rank, as in {text!r}.")
    for letters in ("PNBRQK", "pnbrqk"):
        if sum(map(men.count, letters)) > 16 or men.count(letters[0]) > 8:
            raise StateError(f"a player has at most 16 men, 8 of them pawns; in {text!r} there are more.")
    return {square: letter for square, letter in enumerate(men) if letter != "."}


def _read_rights(text: str, board: dict[int, str]) -> list[int]:
    """The corners whose rook may still castle."""
    if text == "-":
        return []
    if set(text) - set(RIGHTS) or len(set(text)) != len(text):
        raise StateError(f"the rights to castle are some of KQkq, or -, in a FEN, not {text!r}.")
    for right in text:
        king, rook = RIGHTS[right]
        if (board.get(king), board.get(rook)) != (("K", "R") if right.isupper() else ("k", "r")):
            raise StateError(f"the right to castle {right} needs king and rook on their first squares.")
    return [RIGHTS[right][1] for right in text]


def _read_passed(text: str, board: dict[int, str], side: int) -> int:
    """The square behind a pawn that has just gone two squares."""
    ranks, pawn = ("56", "p") if side == 0 else ("43", "P")
    if re.fullmatch(f"[a-h]{ranks[1]}", text):
        square = FILES.index(text[0]) + 8 * (int(text[1]) - 1)
        ahead, behind = (square - 8, square + 8) if side == 0 else (square + 8, square - 8)
        if board.get(ahead) == pawn and square not in board and behind not in board:
            return square
    raise StateError(f"a FEN's fourth field is - or the square that a pawn has just passed, not {text!r}.")


# Moves.


def write_uci(state: Any, move: int) -> str:
    side, code = int(state[6]), int(move) >> 12
    origin, target = (int(move) >> shift & 63 ^ 56 * side for shift in (0, 6))
    return square_name(origin) + square_name(target) + (LETTERS[code].lower() if code else "")


def write_san(game: Any, state: Any, move: int) -> str:
    """What is ambiguous is told apart by file, or else by rank, or else by both."""
    after = game.after(state, move)
    sign = "" if not game.is_check(after) else "+" if game.answers(after) else "#"
    code, name = _code(state, move), write_uci(state, move)
    if code == KING and move in (CASTLES_SHORT, CASTLES_LONG):
        return ("O-O" if move == CASTLES_SHORT else "O-O-O") + sign
    takes = int(after[5]) == 0 and (code != PAWN or name[0] != name[2])
    if code == PAWN:
        promoted = f"={name[4].upper()}" if len(name) > 4 else ""
        return (f"{name[0]}x" if takes else "") + name[2:4] + promoted + sign
    rivals = [
        write_uci(state, other)
        for other in game.answers(state)
        if other != move and other >> 6 == move >> 6 and _code(state, other) == code
    ]
    which = ""
    if rivals:
        same_file, same_rank = (any(rival[i] == name[i] for rival in rivals) for i in (0, 1))
        which = name[0] if not same_file else name[1] if not same_rank else name[:2]
    return LETTERS[code] + which + ("x" if takes else "") + name[2:4] + sign


def _code(state: Any, move: int) -> int:
    """The code of the man that moves."""
    step, diagonal, straight = (int(board) >> (move & 63) & 1 for board in state[1:4])
    return step + 2 * diagonal + 4 * straight


def read_move(state: Any, moves: list[int], text: str) -> int:
    """Which of these moves is meant, in UCI's notation or in SAN, where more may be said than is needed."""
    names = {write_uci(state, move): move for move in moves}
    words, found = text.strip().rstrip("+#!?"), []
    if words in names:
        return names[words]
    if words.upper().replace("0", "O") in ("O-O", "O-O-O"):
        castling = CASTLES_SHORT if len(words) == 3 else CASTLES_LONG
        found = [move for move in moves if move == castling and _code(state, move) == KING]
    elif (said := SAN.fullmatch(words)) is not None:
        piece, file, rank, target, becomes = said.groups()
        code = LETTERS.index(piece or "P")
        file = file or target[0] if code == PAWN else file
        found = [
            move
            for name, move in names.items()
            if _code(state, move) == code
            and name[2:4] == target
            and file in ("", name[0])
            and rank in ("", name[1])
            and becomes in ("", name[4:].upper())
        ]
        if len(found) > 1 and code == PAWN and not becomes:  # a pawn becomes a queen unless told otherwise
            found = [move for move in found if move >> 12 == QUEEN]
    if len(found) == 1:
        return found[0]
    if found:
        meant = ", ".join(name for name, move in names.items() if move in found)
        raise StateError(f"{text!r} may be any of {meant}.")
    raise StateError(f"{text!r} is not a legal move; legal moves are {', '.join(names) or 'none'}.")


# Pictures.


def write_pgn(
    game: Any, players: Sequence[str], opening: Sequence[int], moves: Sequence[int], score: float,
    about: Mapping[str, str],
) -> str:  # fmt: skip
    """A whole game in Portable Game Notation; see `Game.game_text`."""
    white, black = players if len(opening) % 2 == 0 else players[::-1]
    white_score = score if len(opening) % 2 == 0 else -score
    result = "1-0" if white_score > 0 else "0-1" if white_score < 0 else "1/2-1/2"
    date = about.get("date", "")[:10].replace("-", ".") or "????.??.??"
    tags = {"Event": f"ludus, run {about['run']}" if "run" in about else "ludus", "Site": "?", "Date": date}
    tags |= {"Round": about.get("round", "?"), "White": white, "Black": black, "Result": result}
    tags |= {"Variant": str(game)} if str(game) != game.name else {}
    words, state = [], game.start
    for ply, move in enumerate((*opening, *moves)):
        words += [f"{ply // 2 + 1}."] if ply % 2 == 0 else []
        words.append(write_san(game, state, move))
        words += ["{ the opening ends here }"] if ply + 1 == len(opening) else []
        state = game.after(state, move)
    if about.get("fault"):
        words.append(f"{{ {'White' if white_score < 0 else 'Black'} forfeits: {about['fault'].replace('}', ')')} }}")
    head = [f'[{tag} "{_quoted(text)}"]' for tag, text in tags.items()]
    return "\n".join([*head, "", textwrap.fill(" ".join([*words, result]), 79, break_on_hyphens=False), ""])


def _quoted(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def render(state: Any) -> str:
    board = whole_board(state)
    rows = [f"{r + 1} {' '.join(board.get(8 * r + f, '.') for f in range(8))}" for r in reversed(range(8))]
    return "\n".join([*rows, f"  {' '.join(FILES)}", f"{('white', 'black')[int(state[6])]} to move"])


def diagram(state: Any) -> Any:
    """White at the bottom."""
    from ludus.pictures.diagram import squares

    men = {(7 - square // 8, square % 8): letter for square, letter in whole_board(state).items()}
    dark = [(row, file) for row in range(8) for file in range(8) if (row + file) % 2]
    owners = {letter: int(letter.islower()) for letter in "KQRBNPkqrbnp"}
    return squares(8, men, owners=owners, color="#ead8b7", dark=dark, labels=(FILES, "87654321"))


def draw(state: Any) -> str:
    """White at the bottom."""
    from ludus.pictures.boards import board_svg

    men = {(7 - square // 8, square % 8): letter for square, letter in whole_board(state).items()}
    dark = [(row, file) for row in range(8) for file in range(8) if (row + file) % 2]
    labels, title = (FILES, "87654321"), f"Chess: {write_fen(state)}"
    return board_svg(8, men, color="#ead8b7", dark=dark, labels=labels, title=title)
