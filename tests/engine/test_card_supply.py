"""The cards of a position: each has one place, and the rest goes where the position says."""

from typing import Any

import numpy as np
import pytest

from sparring import BadPosition, Game, Match, games

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
