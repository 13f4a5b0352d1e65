"""Hidden information: visibility, determinization, and taking choices back."""

from typing import Any

import numpy as np
import pytest

from games.mace.random_states import states
from games.mace.table import NAME, Table, adjacent, cards, table
from sparring import ChoiceError, Match
from sparring.engine import chance
from sparring.engine.game import game
from sparring.games.mace.state import ANY_CARD, is_new
from wording import says

GAME = game(NAME)


def seen(view: Any, truth: Any) -> str:
    """Return how much of a pile a view shows: the faces, only the number of cards, or nothing."""
    if view.tolist() == truth.tolist():
        return "faces"
    return "number" if view[0] == truth[0] and set(view[1 : view[0] + 1].tolist()) == {-1} else "nothing"


def full_table() -> Match:
    """Return a match with Charges for all, where seat 2 defends against an attack whose card is on the table."""
    return table(
        "4C 2H 3D 4D 5D", "6D 7D 8D 9D 10D", "6S 7S 8S 9S 10S", fighters=["0,0", "1,0", "3,3"],
        charges=["9C 8C", "7C", "6C X1"], discard_pile="2S 3S", options={"discard_timing": "after_attack"},
        phase="defence", target=2, attack=11, damage=11, range=1, acted=True, table="JS",
    ).match  # fmt: skip


@pytest.mark.parametrize(
    ("field", "row", "seats"),
    [
        # Seat 1, seat 2, seat 3, spectator.
        ("hand", 0, "faces number number number"),
        ("hand", 1, "number faces number number"),
        ("charges", 0, "faces number number number"),
        ("charges", 2, "number number faces number"),
        ("deck", None, "number number number number"),
        ("discard", None, "faces faces faces faces"),
        ("table", None, "faces faces faces faces"),
        ("momentum", None, "faces faces faces faces"),
        ("order", None, "faces faces faces faces"),
        ("at", None, "faces faces faces faces"),
    ],
)
def test_visibility_of_piles(field: str, row: int | None, seats: str) -> None:
    match = full_table()
    shown = []
    for seat in (1, 2, 3, 0):
        view, truth = match.view(seat).state[field], match.state[field]
        shown.append(seen(view, truth) if row is None else seen(view[row], truth[row]))
    assert " ".join(shown) == seats


def test_only_the_player_sees_choices() -> None:
    match = full_table()
    assert [bool(match.view(seat).choices) for seat in (0, 1, 2, 3)] == [False, False, True, False]


def test_no_view_holds_the_random_generator() -> None:
    assert all(not full_table().view(seat).state.rng.any() for seat in range(4))


def test_the_face_of_a_charge_is_hidden_from_others() -> None:
    def charged(card: str) -> Match:
        t = table(
            f"{card} 2H 3D 4D 5D", None, fighters=["0,0", "6,0"], momentum=["2C", "2S"], draw_pile="KS ...", seed=3
        )
        return t.play(f"charge {card}").match

    one, other = (panel_cards(charged(card).view(2), 1) for card in ("4C", "QC"))
    assert [card.label for card in one] == ["a Charge, played in Round 1"]
    assert one == other


def panel_cards(view: Any, seat: int) -> list[Any]:
    return [card for part in view.scene.seats[seat - 1].parts for card in part.cards]


def test_the_first_momentum_is_secret() -> None:
    match = Match.new(NAME, seats=2, seed=3)
    card = match.choices()[0].words
    before, action = match.view(2).state, match.read(card)
    assert GAME.rules.observe_action(match.setup.params, match.state, action, 1) == -1
    assert GAME.rules.observe_action(match.setup.params, match.state, action, 0) == action
    match.choose(card)
    (line,) = GAME.scene.SeatTable(match.setup, match.view(2).state, 1, [], "").tell(before, -1)
    assert says(line, "Seat 1", "Momentum")
    assert card not in str(line)


def test_a_charge_is_played_in_secret() -> None:
    match = table("4C 2H 3D", None, fighters=["0,0", "6,0"], discard_pile="KC").match
    action = match.read("charge 4C")
    assert [GAME.rules.observe_action(match.setup.params, match.state, action, seat) for seat in (-1, 0, 1)] == [
        -1,
        action,
        -1,
    ]
    match.choose(action)
    for seat in (0, 2):
        (line,) = match.log(seat)
        assert says(line, "Seat 1", "Charge", "face down")
        assert "4C" not in line


# Inference after a reshuffle


def consistent(s: Any) -> bool:
    """Return whether hidden cards are consistent with what is public since the last reshuffle."""
    for seat in range(s.seats):
        charges = s.charges[seat, 1 : s.charges[seat, 0] + 1].tolist()
        hand = s.hand[seat, 1 : s.hand[seat, 0] + 1].tolist()
        old = int(s.old_charges[seat])
        if any(is_new(s, card) for card in charges[:old]):
            return False
        if sum(1 - is_new(s, card) for card in charges[old:] + hand) != s.old_cards[seat]:
            return False
        if not s.over and any(card % 4 != 0 and card < 52 for card in charges):
            return False
    return bool(s.over) or all(is_new(s, card) for card in s.deck[1 : s.deck[0] + 1])


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5])
def test_a_determinization_is_consistent_with_the_view(seed: int) -> None:
    options = {"jokers": 4 - seed % 5, "blast_cost": ["play_club", "reveal_only"][seed % 2]}
    g = np.zeros(4, np.int64)
    chance.seed(g, seed, chance.DETERMINIZATION)
    reshuffled = 0
    for number, match in enumerate(states(seed, options, 2 + seed % 3)):
        assert consistent(match.state)
        reshuffled += match.state.reshuffled != ANY_CARD
        if number % 7:
            continue
        for seat in range(match.seats + 1):
            view = match.view(seat).state
            truth = view.copy()
            GAME.rules.determinize(match.setup.params, truth, seat - 1, g)
            assert consistent(truth)
            again = truth.copy()
            GAME.rules.redact(match.setup.params, again, seat - 1)
            assert again.tobytes() == view.tobytes()
    assert reshuffled


def test_after_a_reshuffle_two_players_know_each_others_cards() -> None:
    t = adjacent("5S 2H 3D 4D 5D", "6D 7D 8D 9D 10D", momentum=["2C", "2S"], charges=["9C", ""], discard_pile="...")
    t.play("S1: strike 5S; target 2")
    g = np.zeros(4, np.int64)
    chance.seed(g, 1, chance.DETERMINIZATION)
    for _ in range(20):
        truth = t.match.view(2).state
        GAME.rules.determinize(t.match.setup.params, truth, 1, g)
        held = {t.match.setup.content.card(int(card)) for card in truth.hand[0, 1:6]}
        assert cards("2H 3D 4D 5D") < held
        assert t.match.setup.content.card(int(truth.charges[0, 1])) == "9C"


def test_a_blast_under_way_implies_a_club_in_hand() -> None:
    t = table("2C 2H 3D 4D 5D", None, fighters=["0,0", "0,4"], charges=["9C", ""]).play("blast 9C")
    g = np.zeros(4, np.int64)
    chance.seed(g, 1, chance.DETERMINIZATION)
    out = np.zeros(len(GAME.rules.ACTIONS), np.int16)
    for _ in range(50):
        truth = t.match.view(2).state
        GAME.rules.determinize(t.match.setup.params, truth, 1, g)
        assert GAME.rules.legal(t.match.setup.params, truth, out) >= 1


# Taking back


def test_a_move_may_be_taken_back() -> None:
    t = table("9C 2H 3D", None, fighters=["0,0", "6,0"], momentum=["6C", None]).play("boost 9C")
    before = t.match.state.tobytes()
    t.play("to 1,0")
    t.match.take_back()
    assert t.match.state.tobytes() == before


@pytest.mark.parametrize(
    "choices", ["boost 9C", "charge 9C", "end", "strike 5S", "boost 9C; stay; end", "strike 5S; target 2"]
)
def test_public_choices_cannot_be_taken_back(choices: str) -> None:
    place = "1,0" if "strike" in choices else "6,0"
    t: Table = table("9C 5S 3D", None, fighters=["0,0", place], momentum=["6C", None]).play(choices)
    with pytest.raises(ChoiceError):
        t.match.take_back()
