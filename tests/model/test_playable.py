"""The author's contract and what the library adds to it are two classes; an object has both."""

from __future__ import annotations

import pickle

import ludus
from ludus.library.games.nim import Nim
from ludus.model.game import Game
from ludus.model.playable import PlayableGame

FOR_PEOPLE = ("start", "legal", "after", "result", "is_over", "position", "layout", "buffers")


def test_the_contract_fits_on_a_screen():
    own = {name for name, value in vars(Game).items() if callable(value) and not name.startswith("_")}
    assert own == {
        "initial", "moves", "play", "score", "render", "state_text", "parse_state", "move_name", "parse_move",
    }  # fmt: skip


def test_an_author_inherits_nothing_of_the_library():
    assert not [name for name in FOR_PEOPLE if hasattr(Game, name) or hasattr(Nim, name)]
    assert all(hasattr(PlayableGame, name) for name in FOR_PEOPLE)


def test_every_object_is_playable_and_of_its_authors_class():
    for game in (Nim(), ludus.game("nim"), ludus.game(Nim), pickle.loads(pickle.dumps(Nim()))):
        assert isinstance(game, Nim)
        assert isinstance(game, PlayableGame)
        assert type(game).written is Nim
        assert type(game) is type(Nim())
        assert game.position().state == game.start


def test_only_what_an_author_writes_is_his():
    game = Nim()
    assert game.has_own("moves")
    assert not any(game.has_own(name) for name in (*FOR_PEOPLE, "over", "has_rule"))
