"""Pig, the dice game (rules as in Neller & Presser 2004, "Optimal Play of the Dice Game Pig").

On his turn a player rolls a die as often as he likes and adds up what it shows. If he holds, the total is his; if the
die shows 1, the total is lost and the turn is over. The first who holds `target` points or more wins.

Players alternate ply by ply here, so while one goes on rolling the other passes in between.
"""

from ludus.common.errors import StateError
from ludus.model.game import Game

# A state is (the points of the player to move, those of the other, the total of the turn, the phase). In phase TURN the
# turn is the mover's. When he has rolled, the die falls (DIE) for the other who, unless it shows 1, has to PASS.
TURN, DIE, PASS = 0, 1, 2
ROLL, HOLD, GO_ON = 0, 1, 2
PHASES = ("turn", "die", "pass")
MOVES = ("roll", "hold", "pass")


class Pig(Game):
    """Roll a die and add up, or hold; a 1 loses the turn's total. The first to hold `target` points wins."""

    name = "pig"
    evaluator = "lead"

    def __init__(self, target: int = 100, sides: int = 6) -> None:
        if not 1 <= target <= 10_000:
            raise ValueError("target must be from 1 to 10000")
        if not 2 <= sides <= 100:
            raise ValueError("sides must be from 2 to 100")
        self.target = target
        self.sides = self.max_moves = sides

    def initial(self):
        return (0, 0, 0, TURN)

    def moves(self, state, out):
        _, theirs, total, phase = state
        if theirs >= self.target:
            return 0
        if phase == DIE:
            for i in range(self.sides):
                out[i] = i + 1
            return self.sides
        if phase == PASS:
            out[0] = GO_ON
            return 1
        if total == 0:
            out[0] = ROLL
            return 1
        out[0], out[1] = HOLD, ROLL
        return 2

    def play(self, state, move):
        mine, theirs, total, phase = state
        if phase == DIE:
            return (mine, theirs, 0, TURN) if move == 1 else (mine, theirs, total + move, PASS)
        if phase == PASS:
            return (theirs, mine, total, TURN)
        return (theirs, mine, total, DIE) if move == ROLL else (theirs, mine + total, 0, TURN)

    def chance(self, state, probabilities):
        if state[3] != DIE:
            return 0
        for i in range(self.sides):
            probabilities[i] = 1.0 / self.sides
        return self.sides

    def score(self, state):
        return -1  # the other one has just held

    def phase(self, state):
        """How near the one with more points is to the end."""
        return min(max(state[0], state[1]) / self.target, 1.0)

    def lowest(self, state):
        return -1

    def highest(self, state):
        return 1

    # For people.

    def state_text(self, state):
        """The points of the player to move and of the other, the total of the turn, and what comes: turn, die, pass."""
        mine, theirs, total, phase = state
        return f"{mine} {theirs} {total} {PHASES[phase]}"

    def parse_state(self, text):
        *points, phase = text.split() or [""]
        if len(points) != 3 or not all(word.isdecimal() for word in points) or phase not in PHASES:
            raise StateError(
                f"{text!r} is not a state of pig: three numbers and turn, die or pass, like '20 35 6 turn'."
            )
        mine, theirs, total = map(int, points)
        enough = theirs >= self.target and (phase != "turn" or total > 0)
        if mine >= self.target or enough or (phase == "pass" and total < 2):
            raise StateError(f"no game of {self} comes to {text!r}.")
        return (mine, theirs, total, PHASES.index(phase))

    def move_name(self, state, move):
        return str(int(move)) if state[3] == DIE else MOVES[move]

    def render(self, state):
        mine, theirs, _, _ = state
        return f"to move {mine:>4}\nother   {theirs:>4}\n{self._situation(state)}"

    def _situation(self, state):
        _, theirs, total, phase = state
        if theirs >= self.target:
            return "the game is over"
        whose = "the player to move" if phase == TURN else "the other"
        return f"{total} in the hand of {whose}" + ("", "; the die falls", ", who goes on")[phase]

    def svg(self, state):
        """Each one's points as a bar, and what is in hand; the player to move is on top."""
        from ludus.pictures.boards import picture

        mine, theirs, total, phase = state
        parts, rolling = [], 0 if phase == TURN else 1
        for row, points in enumerate((mine, theirs)):
            y, hand = 20 + 40 * row, total if row == rolling else 0
            for start, length, color in ((0, self.target, "#eee"), (0, points, "#2f8f5b"), (points, hand, "#fc3")):
                start, end = (300 * min(place, self.target) / self.target for place in (start, start + length))
                parts.append(f'<rect x="{20 + start:g}" y="{y}" width="{end - start:g}" height="24" fill="{color}"/>')
            parts.append(f'<text x="345" y="{y + 17}" font-size="16">{points}</text>')
        parts.append(f'<text x="170" y="116">{self._situation(state)}</text>')
        return picture(380, 130, parts, f"Pig: {self.state_text(state)}")
