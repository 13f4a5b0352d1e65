"""Studio previews of the games: the card, fighter or board, and statistics of the whole set."""

from typing import Any

from sparring.engine.formats.toml import read_toml
from sparring.engine.game import games
from sparring.games.make_your_moves.components import moves
from sparring.scene import Board, Face
from sparring.scene.components import PreviewBars, PreviewText, StatSheet
from wording import says

GAMES = games()


def preview(name: str, *at: str | int, data: dict[str, Any] | None = None, **options: Any) -> list[Any]:
    game = GAMES[name]
    assert game.preview is not None
    return list(game.preview.preview(data or default_content(name), game.setup(options).options, at))


def default_content(name: str) -> dict[str, Any]:
    return read_toml(GAMES[name].content_text, "own")


def sheet(things: list[Any]) -> dict[str, tuple[str, ...]]:
    found = next(thing for thing in things if isinstance(thing, StatSheet))
    return {row[0]: row[1:] for row in found.rows}


def test_a_move_card_has_its_move_names_and_deck_counts() -> None:
    things = preview("make-your-moves", "cards", 15, "name")
    assert things[0].name == "Piledriver"
    named = [thing.text for thing in things if isinstance(thing, PreviewText)][1:]
    assert len(named) == 4
    assert all("Piledriver" in move for move in named)
    assert sheet(things)["Red"] == ("9", "6", "3", "18")
    assert sheet(things)["Total"] == ("40", "27", "13", "80")
    jab = {"name": "Jab", "colour": "Red", "power": 1}
    assert moves(jab, [jab, {"name": "Towel", "colour": "Yellow", "power": 1}]) == ["Jab", "Jab with the Towel"]


def test_a_fighter_has_its_budget_and_scores_at_each_range() -> None:
    things = preview("world-of-fighters", "fighters", 0, "kick")
    assert isinstance(things[0], Face)
    assert says(things[1].text, "Budget 7", "7 each")
    assert sheet(things) == {"Punch": ("–", "3", "2"), "Kick": ("–", "3", "4"), "Grapple": ("4", "3", "–")}
    everywhere = sheet(preview("world-of-fighters", "fighters", 0, punch_ends="both"))
    assert everywhere["Punch"] == ("2", "3", "2")


def test_a_board_is_drawn_with_its_distances() -> None:
    things = preview("untitled-movement", "boards", 2, "map")
    assert isinstance(things[0], Board)
    assert says(things[1].text, "symmetry", "half turn", "quarter turn")
    assert sheet(things)["bottom"][-1] == "4 of 4"
    assert all(int(steps) >= 11 for steps in sheet(things)["bottom"][:-1])
    deck = preview("untitled-movement", "decks", "pnp", "F")
    assert deck[0].text == "42 cards"
    assert isinstance(deck[1], PreviewBars)
    assert deck[1].bars[0].said == "9"


def test_an_arena_has_its_size_and_fighters() -> None:
    board, size, near, pack, _ = preview("mace", "starts", "3", 0)
    assert (len(board.cells), len(board.tokens)) == (127, 3)
    assert size.text.startswith("127 hexes, 6 from the middle")
    assert says(near.text, "3 Fighters", "6 hexes")
    assert pack.text == "52 cards and 2 Jokers."
    assert len(preview("mace", radius=5, jokers=0)[0].cells) == 91


def test_a_set_with_faults_is_shown_as_far_as_possible() -> None:
    broken: dict[str, dict[str, Any]] = {
        "make-your-moves": {"cards": [{"name": "Jab"}, 3]}, "world-of-fighters": {"fighters": [{"name": "A"}]},
        "untitled-movement": {"boards": [{"name": "x", "map": "oo"}]}, "mace": {"values": {"K": "x"}, "starts": 3},
        "five-circles": {"cards": [], "decks": 3},
    }  # fmt: skip
    for name, data in broken.items():
        for at in ((), ("cards", 0), ("decks", 9), ("starts", "9"), ("boards", 0), ("fighters", 0)):
            assert isinstance(preview(name, *at, data=data), list)
