"""The study's own boards, evaluators and minimax against the package's game, evaluators and searches."""

from __future__ import annotations

import numpy as np
import pytest

import ludus
from ludus.studies import abramson_1985 as study
from ludus.studies.engine.reproduction import reproduce, studies

SIZES = [(2, 3), (3, 2)]


def boards_of(game: ludus.Game):
    """The states of all levels up to 2(D-1), with the place of each in the arrays of the study."""
    for ply in range(2 * game.rounds - 1):
        rows, columns = game.sizes[game.rounds - ply // 2], game.sizes[game.rounds - (ply + 1) // 2]
        for i in range(game.branching ** (ply // 2)):
            for j in range(game.branching ** ((ply + 1) // 2)):
                yield ply, i, j, (int(i * rows), int(j * columns), ply)


@pytest.mark.parametrize(("b", "d"), SIZES)
def test_values_are_those_of_the_evaluators_and_of_minimax(b, d):
    for seed in range(3):
        game = ludus.game("board-splitting", branching=b, rounds=d, seed=seed)
        tips = {name: make(game.board, b, d) for name, make in study.EVALUATORS.items()}
        won = study.truth(game.board, b, d)
        for ply, i, j, state in boards_of(game):
            to_h = -1 if ply % 2 == 0 else 1
            position = game.position(state)
            for name, evaluator in (("N", "ones"), ("Y", "ones-traps")):
                assert tips[name][ply][i, j] == to_h * position.value(evaluator)
            exact = ludus.player("minimax(eval=zero, depth=9)", compiled=False).choose(position).value
            assert won[ply][i, j] == (to_h * exact > 0)


@pytest.mark.parametrize(("b", "d"), SIZES)
def test_a_player_chooses_as_minimax_does(b, d):
    random = np.random.default_rng(0)
    for seed in range(2):
        game = ludus.game("board-splitting", branching=b, rounds=d, seed=seed)
        for name, evaluator in (("N", "ones"), ("Y", "ones-traps")):
            tips, won = study.EVALUATORS[name](game.board, b, d), study.truth(game.board, b, d)
            seen = study.Game(b, d, tips, won, study.BASE, random)
            for ply, i, j, state in boards_of(game):
                for k in range(2 * d - 1) if ply < seen.end else ():
                    depth = seen.tip(ply, k) - ply
                    player = ludus.player(f"minimax(eval={evaluator}, depth={depth})", compiled=False)
                    children = player.choose(game.position(state)).children
                    values = [child.value for child in children]
                    assert values[seen.choice(ply, i, j, k)] == max(values)


def test_tips_lie_where_the_paper_says():
    board = np.zeros((32, 32), bool)
    for origin, expected in (("mover", [2, 4, 6, 8, 8]), ("start", [2, 2, 4, 6, 8])):
        tips, won = study.ones(board, 2, 5), study.truth(board, 2, 5)
        game = study.Game(2, 5, tips, won, ("first", origin), np.random.default_rng(0))
        assert [game.tip(1, k) for k in (0, 2, 4, 6, 8)] == expected


def rows(part: str) -> dict[tuple[str, str], dict]:
    found = reproduce(studies()["abramson-1985"], scale="tiny", only=(part,), workers=1, compiled=False)
    return {(row["what"], row["convention"]): row for row in found.rows}


def test_exact_results_are_exact():
    traps = rows("traps")
    critical = traps["any trap below q_c, S=B=2", "as printed"]
    assert critical["measured"] == pytest.approx(1 - 3**0.5 / 2)
    assert critical["agrees"] is False, "Y's traps are above the critical density"
    errors = rows("errors")
    side = errors["rows of a board at level 4, B=2 D=5", "as printed: it is that of level k + 2"]
    assert (side["paper"], side["measured"], side["agrees"]) == (4, 8, False)
    assert errors["rows of a board at level 4, B=2 D=5", "as derived"]["agrees"] is True


def test_rows_disagree_if_the_evaluator_is_broken(monkeypatch):
    """With the sign of N(g) turned, H loses more by looking ahead than any reading of the paper allows."""

    def verdicts() -> list[bool]:
        found = rows("figures-1-6")
        return [row["agrees"] for (what, _), row in found.items() if "H, " in what and what.endswith("under N(g)")]

    def turned(board, b, d):
        return {level: -values for level, values in study.ones(board, b, d).items()}

    assert verdicts() == [True] * 4
    monkeypatch.setitem(study.EVALUATORS, "N", turned)
    assert verdicts() == [False] * 4
