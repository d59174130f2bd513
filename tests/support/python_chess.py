"""Chess by python-chess, an independent program, in the words of our tests: legal moves, results, promotion or none."""

from __future__ import annotations

import chess

CODES = {chess.BISHOP: 2, chess.KNIGHT: 3, chess.ROOK: 4, chess.QUEEN: 6}


class OtherChess:
    """A game in progress under one of our rules of promotion."""

    def __init__(self, fen: str = chess.STARTING_FEN, promotion: str = "all") -> None:
        self.board, self.promotion = chess.Board(fen), promotion
        self.moves = self._legal()

    def _legal(self) -> list[chess.Move]:
        """The moves that leave no king in check."""
        if self.promotion == "all":
            return list(self.board.legal_moves)
        if self.promotion == "queen":
            return [move for move in self.board.legal_moves if move.promotion in (None, chess.QUEEN)]
        return [move for move in self.board.pseudo_legal_moves if self._is_legal_without_promotion(move)]

    def _is_legal_without_promotion(self, move: chess.Move) -> bool:
        if move.promotion is None:
            return self.board.is_legal(move)
        if move.promotion != chess.QUEEN:
            return False
        mover, after = self.board.turn, self.board.copy(stack=False)
        after.push(move)
        after.remove_piece_at(move.to_square)
        king = after.king(mover)
        return not after.is_attacked_by(not mover, king)

    def push(self, move: chess.Move) -> None:
        self.board.push(move)
        if move.promotion and self.promotion == "none":
            self.board.remove_piece_at(move.to_square)
        self.moves = self._legal()

    @property
    def ending(self) -> str:
        """Why the game is over, or nothing."""
        if self.board.is_insufficient_material():
            return "material"
        if not self.moves:
            return "checkmate" if self.board.is_check() else "stalemate"
        return "fifty moves" if self.board.halfmove_clock >= 100 else ""

    def number(self, move: chess.Move) -> int:
        """The move as our rules number it: squares are seen by the player to move."""
        turn = 0 if self.board.turn == chess.WHITE else 56
        code = CODES[move.promotion] if move.promotion and self.promotion != "none" else 0
        return move.from_square ^ turn | (move.to_square ^ turn) << 6 | code << 12

    @property
    def numbers(self) -> dict[int, chess.Move]:
        """Our moves and theirs; none when the game is over."""
        return {} if self.ending else {self.number(move): move for move in self.moves}

    @property
    def fen(self) -> str:
        """A FEN that gives a square for capturing in passing only if that is legal, and no number of the move."""
        return self.board.fen().rsplit(" ", 1)[0] + " 1"
