"""Matches: deal, view, play, take back."""

import pytest

from engine.toy_game import TOY
from sparring import BadOption, ChoiceError, IllegalChoice, Match, SparringError, UnknownGame, games
from sparring.engine.game import game

NAME = "make-your-moves"


def test_the_deal_depends_on_seed_and_options() -> None:
    one = Match.new(NAME, seats=3, seed=7, options={"match": "elimination"})
    same = Match.new(NAME, seats=3, seed=7, options={"match": "elimination"})
    other = Match.new(NAME, seats=3, seed=8, options={"match": "elimination"})
    assert one.state.tobytes() == same.state.tobytes() != other.state.tobytes()
    assert (one.seats, one.seed, one.over, one.ending, one.payoffs) == (3, 7, False, None, None)


def test_without_a_seed_the_deal_is_random() -> None:
    assert Match.new(NAME).seed != Match.new(NAME).seed


def test_the_smallest_number_of_seats_is_the_default() -> None:
    assert Match.new(NAME).seats == 2


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "7"])
def test_an_invalid_seed(seed: object) -> None:
    with pytest.raises(SparringError, match="The seed must be a whole number from 0 to"):
        Match.new(NAME, seed=seed)  # type: ignore[arg-type]


def test_the_largest_seed() -> None:
    assert Match.from_record(Match.new(NAME, seed=2**63 - 1).record()).seed == 2**63 - 1


def test_an_unknown_game() -> None:
    with pytest.raises(UnknownGame, match=r"There is no game called chess; .*make-your-moves"):
        Match.new("chess")


def test_an_unknown_preset() -> None:
    assert Match.new(NAME, preset="standard").setup.options == Match.new(NAME).setup.options
    with pytest.raises(BadOption, match=r"has no preset wild; .*“standard”, “by the letter”"):
        Match.new(NAME, preset="wild")


def test_the_recommended_variant_comes_first() -> None:
    five = games()["five-circles"]
    assert list(five.variants) == ["longer", "standard", "by the letter", "for play"]
    assert Match.new(five, preset="for play").setup.options["opening"] == "hold"
    assert all(variant.summary.endswith(".") for variant in five.variants.values())
    assert list(games()[NAME].variants) == ["standard", "by the letter"]


def test_games_are_listed_by_title_and_templates_last() -> None:
    titles = [found.title for found in games().values() if not found.template]
    assert titles == sorted(titles)
    assert list(games())[-1] == "card-duel"
    assert games()[NAME] is game(NAME)


def test_seat_to_choose_and_legal_choices() -> None:
    match = Match.new(NAME, seats=2, seed=7, options={"first_control": "seat1"})
    assert (match.seat, match.phase) == (1, "target")
    assert match.legal() == [choice.action for choice in match.choices()]
    assert [choice.words for choice in match.choices()] == ["target 2"]
    assert match.view(1).choices == match.choices()
    assert match.view(2).choices == match.view(0).choices == []


@pytest.mark.parametrize("seat", [-1, 3])
def test_an_unknown_seat(seat: int) -> None:
    with pytest.raises(SparringError, match=f"There is no seat {seat}; the seats are 1 to 2, and 0 is a spectator"):
        Match.new(NAME, seats=2).view(seat)


def test_a_view_is_a_copy() -> None:
    match = Match.new(NAME, seed=1)
    before = match.state.tobytes()
    match.view(1).state.points[0] = 3
    assert match.state.tobytes() == before


def test_several_choices_are_played_until_one_is_refused() -> None:
    match = Match.from_position({"game": NAME, "hands": ["Red1 Blue1", "Red2"]})
    with pytest.raises(ChoiceError):
        match.play("target 2; Red1; Yellow1; done")
    assert match.position()["attack"] == ["Jab"]
    match.play("; Blue1 ;; done;")
    assert match.seat == 2


def test_undo_restores_the_previous_state() -> None:
    match = Match.from_position({"game": NAME, "seats": 3, "hands": ["Red1 Blue1", None, None]})
    states = [match.state.tobytes()]
    match.choose("target 2")
    match.take_back()
    assert match.state.tobytes() == states[0]
    assert match.history == []
    match.play("target 3; Red1")
    with pytest.raises(ChoiceError, match="You can't take this back"):
        match.take_back()
    assert len(match.history) == 2


def test_undo_is_refused_before_the_first_choice() -> None:
    assert not Match.new(NAME).can_take_back
    with pytest.raises(ChoiceError):
        Match.new(NAME).take_back()


def test_a_game_that_is_not_installed_can_be_played() -> None:
    match = Match.new(TOY, seats=3, seed=2)
    while not match.over:
        match.choose(match.choices()[0].words)
    assert match.ending == "tricks"
    assert match.payoffs is not None
    assert sum(match.payoffs.values()) == pytest.approx(0)
    assert Match.from_record(match.record(), game=TOY).state.tobytes() == match.state.tobytes()


def test_a_choice_for_a_seat_needs_its_turn() -> None:
    match = Match.new(NAME, seats=2, seed=7, options={"first_control": "seat1"})
    with pytest.raises(IllegalChoice, match=r"It is seat 1.s turn, not seat 2"):
        match.choose("target 2", seat=2)
    assert match.history == []
    match.choose("target 2", seat=1)
    match.choose(match.legal()[0], seat=match.seat)
    assert len(match.history) == 2
    while not match.over:
        match.choose(match.legal()[0])
    with pytest.raises(IllegalChoice, match="The match is over"):
        match.choose(0, seat=1)


@pytest.mark.parametrize("name", list(games()))
def test_the_log_of_a_seat_can_be_read_again(name: str) -> None:
    match = Match.new(name, seed=3)
    heard: dict[int, list[str]] = {seat: [] for seat in range(match.seats + 1)}
    while not match.over and len(match.history) < 60:
        legal = match.legal()
        match.choose(legal[len(match.history) * 7 % len(legal)])
        for seat in heard:
            heard[seat] += match.sentences(seat)
    before = match.state.tobytes()
    assert {seat: match.log(seat) for seat in heard} == heard
    assert heard[1] != heard[2]
    assert match.state.tobytes() == before
    with pytest.raises(SparringError, match="There is no seat 9"):
        match.log(9)


def test_the_log_of_a_match_from_a_position_starts_there() -> None:
    match = Match.from_position({"game": NAME, "hands": ["Red1 Blue1", "Red2"]})
    assert match.log(1) == []
    match.choose("target 2")
    assert match.log(2) == match.sentences(2) == ["Seat 1 attacks you."]


@pytest.mark.parametrize(("payoff", "winners"), [([2, -1, -1], (1,)), ([0.5, -1, 0.5], (1, 3)), ([0, 0, 0], ())])
def test_who_won(payoff: list[float], winners: tuple[int, ...]) -> None:
    assert Match.new(NAME, seats=3).winners == ()
    over = Match.from_position({"game": NAME, "seats": 3, "ending": "turn limit", "payoff": payoff})
    assert over.winners == winners


def test_legal_choices_are_computed_once_per_state() -> None:
    match, same = Match.new(NAME, seed=5), Match.new(NAME, seed=5)
    first = match.legal()
    match.legal().clear()
    assert match.legal() == first
    foreseen = match.preview(first[0])
    assert match.preview(first[0]) is foreseen
    assert match.preview(first[-1]).action == first[-1]
    match.choose(first[0])
    same.choose(first[0])
    assert match.legal() == same.legal() != first
    match.take_back()
    assert match.legal() == first


def test_matches_with_equal_options_share_a_setup() -> None:
    setup = game(NAME).setup()
    assert game(NAME).setup({}) is setup is not game(NAME).setup({"match": "elimination"})
