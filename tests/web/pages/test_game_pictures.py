"""Posters: each card as the player who holds it sees it."""

from typing import Any

import pytest

from pseudo_language import pseudo_language
from sparring.engine.game import game
from sparring.games.untitled_movement.components import face
from sparring.games.untitled_movement.params import KIND_NAMES
from sparring.scene import Face
from sparring.site.pages import game_pictures


@pytest.mark.parametrize("seed", range(4))
def test_arrows_on_the_poster_point_where_their_names_say(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Cards of the other player, which the table shows turned around, too."""
    drawn = list[list[Face]]()
    monkeypatch.setattr(game_pictures, "SEED", seed)

    def record(faces: list[Face], *_: float) -> str:
        drawn.append(faces)
        return ""

    monkeypatch.setattr(game_pictures, "fan", record)
    uncached: Any = game_pictures.poster
    uncached.__wrapped__(game("untitled-movement").setup())
    faces = {each.name: each for faces in drawn for each in faces}
    upright = {face(kind).name: face(kind) for kind in range(len(KIND_NAMES))}
    assert len(faces) >= 3
    assert all(each == upright[name] for name, each in faces.items() if name in upright)


@pytest.mark.parametrize("name", ["five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters"])
def test_a_poster_lies_on_the_games_own_table(name: str) -> None:
    drawn = game_pictures.poster(game(name).setup())
    assert f"svg.scene.game-{name} {{" in drawn
    assert "--poster: transparent" in drawn
    assert 'fill="var(--poster, var(--paper))"' in drawn, "a game without a table has plain paper"


def test_pictures_are_drawn_for_each_language() -> None:
    setup = game("untitled-movement").recommended_setup
    english = [game_pictures.poster(setup), game_pictures.drawn_example(setup, 1)]
    with pseudo_language():
        accented = [game_pictures.poster(setup), game_pictures.drawn_example(setup, 1)]
    assert all(one != other for one, other in zip(english, accented, strict=True))
