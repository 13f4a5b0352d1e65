"""A set's own boards are values of the option `board`, and the board that is looked at is the one played."""

import pytest

from sparring.engine.errors import BadOption
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import GameSetup, game
from sparring.engine.options import split_options
from sparring.games.untitled_movement.params import board_of
from sparring.printing.booklet import Booklet
from sparring.printing.drawings import Drawings
from sparring.printing.sheets import PrintOptions
from sparring.studio.edits import looked_at

GAME = game("untitled-movement")


def boards(*names: str) -> dict[str, object]:
    """Return the game's content with boards of these names, all with the map of Pinwheel."""
    data = read_toml(GAME.content_text, "content.toml")
    (pinwheel,) = (board for board in data["boards"] if board["name"] == "pinwheel")
    own = [{**pinwheel, "name": name} for name in names]
    return {**data, "boards": [*data["boards"], *own] if "garden" in names else own}


def setup(data: dict[str, object], **options: str) -> GameSetup:
    return GAME.setup(options, GAME.content_from(data, "the set"))


def test_a_board_beside_the_games_own_can_be_chosen_by_name() -> None:
    chosen = setup(boards("garden"), board="garden")
    assert chosen.options["board"] == "garden"
    assert board_of(chosen.content, chosen.params).name == "garden"
    assert chosen.params.rows == len(chosen.content.boards[4].map)


def test_the_first_board_of_a_set_is_the_default() -> None:
    assert setup(boards("alley", "yard")).options["board"] == "alley"


def test_a_record_that_names_the_games_default_plays_the_first_board() -> None:
    assert setup(boards("alley"), board="mirror-gate").options["board"] == "alley"
    assert setup(boards("garden"), board="mirror-gate").options["board"] == "mirror-gate"


def test_other_names_are_refused_with_the_names_that_exist() -> None:
    with pytest.raises(BadOption, match="board must be alley or yard, not scree"):
        setup(boards("alley", "yard"), board="scree")


def test_a_file_may_name_its_own_board() -> None:
    data = read_toml(write_toml({**boards("garden"), "options": {"board": "garden"}}), "set.toml")
    assert split_options(data, GAME.options(), "set.toml")[1] == {"board": "garden"}


def test_the_booklet_names_the_board() -> None:
    pytest.importorskip("typst", reason="the extra `print` is not installed")
    chosen = setup(boards("garden"), board="garden")
    assert "garden" in Booklet(chosen, Drawings(GAME, "colour"), PrintOptions(), ()).source()


@pytest.mark.parametrize(("at", "options"), [(["boards", 4], {"board": "garden"}), (["decks", "pnp"], {}), ([], {})])
def test_the_board_that_is_looked_at_is_the_one_to_play(at: list[str | int], options: dict[str, str]) -> None:
    assert looked_at(GAME.options(), boards("garden"), at) == options
