"""Positions of every game: the fields that all games have, and cards, each of which has one place."""

from typing import Any

import numpy as np
import pytest

from sparring import BadPosition, Game, Match, games
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.formats.positions import read_end, read_phase, write_header
from sparring.engine.rule import blank

NAMES = pytest.mark.parametrize("name", list(games()))


@NAMES
def test_every_game_writes_the_same_header(name: str) -> None:
    match = Match.new(name, seed=3)
    position = match.position()
    turn = "round" if name == "world-of-fighters" else "turn"
    assert position["phase"] == match.phase
    assert (position["player"], position["ending"]) == (match.seat, "none")
    assert (position[turn], position["moment"]) == (int(match.state.turn), int(match.state.moment))
    assert position["payoff"] == [0.0] * match.seats


@NAMES
def test_every_game_reads_an_ending(name: str) -> None:
    match = Match.new(name, seed=3)
    ended = {**match.position(), "ending": match.game.rules.ENDINGS[0].upper(), "payoff": {1: 1, 2: -1}}
    over = Match.from_position(ended)
    assert (over.over, over.ending) == (True, match.game.rules.ENDINGS[0])
    assert over.winners == (1,)
    assert not Match.from_position({**match.position(), "ending": ""}).over


def header(name: str = "make-your-moves", **position: Any) -> tuple[Any, Any]:
    setup = games()[name].setup()
    s: Any = blank(setup.game.rules.State.dtype)
    s.seats = 3
    fields = PositionReader(position, 3)
    phase = read_phase(setup, s, fields, "attack", {"draw": 2})
    read_end(setup, s, fields)
    fields.done()
    return s, phase


def test_missing_fields_have_the_games_defaults() -> None:
    s, phase = header()
    assert (phase, int(s.phase), int(s.over)) == ("attack", 1, 0)


def test_a_named_situation_maps_to_its_phase() -> None:
    s, phase = header(phase="Draw")
    assert (phase, int(s.phase)) == ("draw", 2)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"phase": "tea"}, "phase must be one of target, .*, draw, not tea"),
        ({"ending": "tea"}, "ending must be one of none, points"),
        ({"payoff": [3, 0, 0]}, "payoff must be a number from -1 to 2 for each seat, not 3"),
        ({"payoff": [True, 0, 0]}, "payoff must be a number"),
    ],
)
def test_an_invalid_header_is_refused(position: dict[str, Any], said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        header(**position)


def test_a_header_round_trips() -> None:
    s, _ = header(ending="points", payoff=[2, -1, -1])
    s.turn, s.player, s.moment = 7, 2, 12
    setup = games()["make-your-moves"].setup()
    assert write_header(setup, s, turn="round") == {
        "phase": "attack", "player": 3, "round": 7, "moment": 12, "ending": "points", "payoff": [2.0, -1.0, -1.0],
    }  # fmt: skip


#: A card of each game, and a position that places some others.
CARD = {
    "make-your-moves": "Red3",
    "world-of-fighters": "Kick",
    "untitled-movement": "FL",
    "mace": "3H",
    "five-circles": "Red",
}
#: The games whose players share a draw pile.
GAMES = [pytest.param(game, id=game.name) for game in games().values() if game.name in CARD]


def position(game: Game, **fields: Any) -> Match:
    return Match.from_position({"game": game.name, "seats": 2, **fields})


def cards_of(match: Match) -> int:
    return len([piece for piece in match.game.position.components(match.setup, match.state) if "oken" not in piece])


@pytest.mark.parametrize("game", GAMES)
def test_missing_cards_are_named_in_the_error(game: Game) -> None:
    with pytest.raises(BadPosition, match=r'Every card needs a place: say where to put .+, or write "\.\.\."'):
        position(game, draw_pile=[CARD[game.name]], discard_pile=[])


@pytest.mark.parametrize("game", GAMES)
def test_one_word_places_the_remaining_cards(game: Game) -> None:
    card, whole = CARD[game.name], cards_of(position(game))
    told: list[dict[str, Any]] = [
        {"draw_pile": [card, "..."], "discard_pile": []}, {"draw_pile": f"{card} …", "discard_pile": ""},
        {"draw_pile": card, "discard_pile": ["..."]}, {"draw_pile": card},
        {"draw-pile": 5, "discard-pile": ["...", card]},
    ]  # fmt: skip
    assert [cards_of(position(game, **fields)) for fields in told] == [whole] * len(told)
    on_top = position(game, draw_pile=[card, "..."]).position()["draw_pile"]
    assert on_top[0] == position(game, draw_pile=[card]).position()["draw_pile"][0]
    assert len(on_top) > 20


@pytest.mark.parametrize("game", GAMES)
def test_remaining_cards_are_shuffled_by_the_seed(game: Game) -> None:
    one, again, other = (position(game, draw_pile="...", seed=seed).position()["draw_pile"] for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("game", GAMES)
def test_remaining_cards_need_a_single_pile(game: Game) -> None:
    with pytest.raises(BadPosition, match="means all remaining cards"):
        position(game, draw_pile="...", discard_pile="...")
    with pytest.raises(BadPosition, match=r"is only allowed in a pile|is not a kind of Action card"):
        position(game, hands={"S1": ["..."]})


@pytest.mark.parametrize("game", GAMES)
def test_an_error_in_hands_by_seat_names_the_hands(game: Game) -> None:
    with pytest.raises(BadPosition, match="hands: there is no seat S3; the seats are 1 to 2"):
        position(game, hands={"S3": CARD[game.name]})
    with pytest.raises(BadPosition, match=r"hands: (there is no card Nought|Nought is not a kind of Action card)"):
        position(game, hands={"S1": ["Nought"]})


@pytest.mark.parametrize("game", GAMES)
def test_seats_and_fields_are_spelled_as_in_choices(game: Game) -> None:
    words = {
        "draw pile": "...",
        "Payoff": {"S1": np.int16(1), "seat 2": np.float64(-1)},
        "ending": game.rules.ENDINGS[0],
    }
    match = position(game, **words)
    assert match.payoffs == {1: 1, 2: -1}
    assert Match.from_record(match.record()).position() == match.position()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_named_by_its_title(game: Game) -> None:
    for name in (game.title, game.title.upper(), game.name.replace("-", "_"), f" {game.name} "):
        assert Match.new(name, seed=1).game is game
