"""The laws can fail: a sound game passes, and each law catches a game that breaks it."""

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from engine.toy_game import TOY, broken
from sparring import Game
from sparring.engine.cards import empty, put, remove, take_top
from sparring.engine.chance import die
from sparring.engine.laws import LawViolation, check_audit, check_game, configurations
from sparring.engine.rule import beat, clockwise, finish, rule
from sparring.games.high_card.scene import SeatTable

RULES: Any = TOY.rules
SCENE: Any = TOY.scene
POSITION: Any = TOY.position

deals = iter(range(1_000_000))


class SilentLay(type(SCENE.PHASES[0])):  # type: ignore[misc]
    """Refuses every choice without a reason."""

    def why_not(self, setup: Any, state: Any, block: str, number: int) -> str:
        return ""


step_of_the_toy = RULES.step


@rule
def counts_past_64_bits(params: Any, s: Any, action: int) -> None:
    step_of_the_toy(params, s, action)
    s.moment += ((int(s.turn) + 4) << 62) >> 62


def nothing_to_choose(params: Any, s: Any, out: Any) -> int:
    return 0


def from_the_highest(params: Any, s: Any, out: Any) -> int:
    n: int = RULES.legal(params, s, out)
    out[:n] = out[:n][::-1].copy()
    return n


def loses_a_card(params: Any, s: Any, action: int) -> None:
    RULES.step(params, s, action)
    take_top(s.deck)


def doubles_a_card(params: Any, s: Any, action: int) -> None:
    RULES.step(params, s, action)
    s.deck[1] = s.deck[2]


def determinizes_the_same_deck(params: Any, s: Any, seat: int, g: Any) -> None:
    RULES.determinize(params, s, seat, g)
    for hand in s.hand:
        empty(hand)


def determinizes_other_choices(params: Any, s: Any, seat: int, g: Any) -> None:
    RULES.determinize(params, s, seat, g)
    s.player = clockwise(s, s.player)


def reveals_the_deck(params: Any, s: Any, seat: int) -> None:
    deck = s.deck.copy()
    RULES.redact(params, s, seat)
    s.deck[:] = deck


def counts_its_calls(params: Any, s: Any, out: Any) -> int:
    s.turn += 1
    return int(RULES.legal(params, s, out))


def deals_at_random(params: Any, s: Any) -> None:
    s.rng[0] = next(deals)
    RULES.setup(params, s)


def forgets_the_tricks(setup: Any, s: Any) -> dict[str, Any]:
    return {key: value for key, value in POSITION.write(setup, s).items() if key != "tricks"}


def pays_from_nothing(params: Any, s: Any, action: int) -> None:
    RULES.step(params, s, action)
    s.payoff[0] += s.over


def ends_twice(params: Any, s: Any, action: int) -> None:
    RULES.step(params, s, action)
    if s.over:
        finish(s, 0, 1)


def lets_losers_pay_half(params: Any, s: Any, action: int) -> None:
    RULES.step(params, s, action)
    s.payoff *= 0.5


def one_alias_for_all(setup: Any, s: Any, action: int) -> tuple[str, ...]:
    return tuple(f"lay {value}" for value in setup.content.values)


def offers_one_less(setup: Any, s: Any, seat: int, choices: list[int], beat: str) -> SeatTable:
    return SeatTable(setup, s, seat, choices[1:], beat)


def offers_to_every_seat(setup: Any, s: Any, seat: int, choices: list[int], beat: str) -> SeatTable:
    return SeatTable(setup, s, seat, s.hand[seat, 1:].tolist() if seat >= 0 else [], beat)


def offers_at_a_beat(setup: Any, s: Any, seat: int, choices: list[int], beat: str) -> SeatTable:
    return SeatTable(setup, s, seat, s.hand[seat, 1 : s.hand[seat, 0] + 1].tolist() if beat else choices)


def beats_inside_a_moment(params: Any, s: Any, action: int) -> None:
    called = int(s.phase)
    RULES.step(params, s, action)
    if called:
        beat(s, 0)


def hides_revealed_cards_again(params: Any, s: Any, seat: int, g: Any) -> None:
    RULES.determinize(params, s, seat, g)
    if RULES.all_laid(s):
        s.laid[0, 1] = s.deck[1]


class SaysNothing(SeatTable):
    def tell(self, before: Any, action: int | None) -> list[Any]:
        return [""]


def acts_for_others_in_a_moment(params: Any, s: Any, action: int) -> None:
    moment = int(s.moment)
    RULES.step(params, s, action)
    s.moment = moment


def shows_a_card_in_a_moment(params: Any, s: Any, action: int) -> None:
    """Play the whole hand face up, without telling others that a moment has ended."""
    remove(s.hand[s.player], action)
    put(s.gone, action)
    if s.hand[s.player, 0] == 0:
        finish(s, 0, 1)


def rolls_a_die_in_a_moment(params: Any, s: Any, action: int) -> None:
    player = int(s.player)
    acts_for_others_in_a_moment(params, s, action)
    s.rng[0] += 1
    s.player = player


def depends_on_hidden_cards(params: Any, s: Any, out: Any) -> int:
    """Give a seat with a high card one more choice: in an open phase, others could deduce that."""
    n = int(RULES.legal(params, s, out))
    return n if s.hand[s.player, n] > 9 else max(1, n - 1)


def exceeds_the_feature_range(params: Any, s: Any, seat: int, out: Any) -> None:
    RULES.features(params, s, seat, out)
    out[0] = 1.5


def check(game: Game, matches: int = 10) -> None:
    check_game(game, matches=matches, compiled=False)


def test_a_sound_game_keeps_all_laws() -> None:
    check(TOY)


@pytest.mark.compiled
def test_a_sound_game_keeps_all_laws_compiled() -> None:
    check_game(TOY, matches=0)


def test_every_seat_count_and_pair_of_option_values_is_played() -> None:
    rows = configurations(TOY)
    assert rows[0] == (2, {"hand": 3, "tie": "nobody", "call": "nobody"})
    columns: dict[str, set[Any]] = {"tie": {"nobody", "first"}, "call": {"nobody", "leader"}, "hand": {1, 3, 5}}
    for name, column in columns.items():
        pairs = {(seats, options[name]) for seats, options in rows}
        assert pairs == {(seats, value) for seats in (2, 3, 4) for value in column}
    assert {(options["hand"], options["tie"]) for _, options in rows} == {
        (hand, tie) for hand in (1, 3, 5) for tie in ("nobody", "first")
    }


BROKEN: list[tuple[str, Callable[[], Game]]] = [
    ("law 2, .*no legal action", lambda: broken("rules", legal=nothing_to_choose)),
    ("law 2, .*legal writes actions out of order", lambda: broken("rules", legal=from_the_highest)),
    ("law 2, .*longer than its bound", lambda: dataclasses.replace(TOY, max_choices=lambda setup, seats: 1)),
    ("law 2, .*was ended twice", lambda: broken("rules", step=ends_twice)),
    ("law 4, .*doesn't match the view", lambda: broken("rules", determinize=determinizes_the_same_deck)),
    ("law 4", lambda: broken("rules", determinize=determinizes_other_choices)),
    ("law 4, .*doesn't match the view .*different deck", lambda: broken("rules", redact=reveals_the_deck)),
    ("law 7, .*don't sum to zero", lambda: broken("rules", step=pays_from_nothing)),
    ("law 9, .*another seat must act within a moment", lambda: broken("rules", step=acts_for_others_in_a_moment)),
    ("law 9, .*chance .* within a moment", lambda: broken("rules", step=rolls_a_die_in_a_moment)),
    ("law 9, .*hidden is revealed within a moment", lambda: broken("rules", step=shows_a_card_in_a_moment)),
    ("law 10, .*only one choice", lambda: broken("rules", legal=depends_on_hidden_cards)),
    ("law 4, .*numbers outside -1 to 1", lambda: broken("rules", features=exceeds_the_feature_range)),
]


def printed(*components: str) -> Game:
    """Return the toy game with an inventory of these pieces."""
    made = SimpleNamespace(components=list(components))
    return dataclasses.replace(TOY, inventory=SimpleNamespace(inventory=lambda setup, seats: made))


def audit_all(game: Game) -> None:
    for number, (seats, options) in enumerate(configurations(game)):
        check_audit(game.setup(options), seats, 10, 1000 * number, compiled=False)


@pytest.mark.parametrize(("said", "game"), BROKEN)
def test_the_audit_finds_a_violation(said: str, game: Callable[[], Game]) -> None:
    toy = game()
    with pytest.raises(LawViolation, match=said):
        audit_all(toy)


SLOWLY: list[tuple[str, Callable[[], Game]]] = [
    ("law 2, .*no legal action", lambda: broken("rules", legal=nothing_to_choose)),
    ("law 2, .*longer than its bound", lambda: dataclasses.replace(TOY, max_choices=lambda setup, seats: 1)),
    ("law 3, .*lost or duplicated", lambda: broken("rules", step=loses_a_card)),
    ("law 3, .*lost or duplicated", lambda: broken("rules", step=doubles_a_card)),
    ("law 3, .*missing", lambda: printed("card 0", "card 1")),
    ("law 3, .*not dealt", lambda: printed(*(f"card {number}" for number in range(21)))),
    ("law 3, .*card 0: twice", lambda: printed("card 0", "card 0")),
    ("law 3, .*two places", lambda: broken("position", components=lambda setup, s: ["card 1", "card 1"])),
    ("law 5, .*without a reason", lambda: broken("scene", PHASES=(SilentLay(), SCENE.PHASES[1]))),
    ("law 5, .*changed the state", lambda: broken("rules", legal=counts_its_calls)),
    ("law 6, .*record replays to a different", lambda: broken("rules", setup=deals_at_random)),
    ("law 6, .*position reads back", lambda: broken("position", write=forgets_the_tricks)),
    ("law 8, .*PHASES of phases", lambda: broken("scene", PHASES=SCENE.PHASES[::-1])),
    ("law 7, .*losers must pay 1", lambda: broken("rules", step=lets_losers_pay_half)),
    ("law 7, .*(sum to zero|evenly)", lambda: broken("rules", step=pays_from_nothing)),
    ("law 8, .*has no words", lambda: broken("scene", words=lambda setup, s, action: "")),
    (
        "law 8, .*reads back as",
        lambda: broken("scene", aliases=one_alias_for_all),
    ),
    ("law 8, .*the scene offers", lambda: broken("scene", SeatTable=offers_one_less)),
    ("law 8, .*at the beat", lambda: broken("scene", SeatTable=offers_at_a_beat)),
    ("law 9, .*a beat within a moment", lambda: broken("rules", step=beats_inside_a_moment)),
    ("law 4, .*doesn't match the beat", lambda: broken("rules", determinize=hides_revealed_cards_again)),
    ("law 8, .*must return sentences", lambda: broken("scene", SeatTable=SaysNothing)),
    ("law 8, .*another seat's actions", lambda: broken("scene", SeatTable=offers_to_every_seat)),
]


def test_a_game_that_lists_its_deals_rolls_no_dice() -> None:
    def rolls_a_die(params: Any, s: Any, action: int) -> None:
        RULES.step(params, s, action)
        die(s.rng, 6)

    rolling = broken("rules", step=rolls_a_die)
    with pytest.raises(LawViolation, match=r"law 2, .*leave out Game\.deals"):
        check(dataclasses.replace(rolling, deals=lambda setup, seats: ()), matches=0)


def test_a_state_has_room_for_all_seats() -> None:
    with pytest.raises(ValueError, match="up to 5 seats, but its State is declared for 4"):
        dataclasses.replace(TOY, seats=(2, 3, 4, 5))


@pytest.mark.parametrize(("said", "game"), SLOWLY)
def test_checking_every_choice_finds_a_violation(said: str, game: Callable[[], Game]) -> None:
    with pytest.raises(AssertionError, match=said):
        check(game(), matches=0)


def test_law_1_finds_a_number_beyond_64_bits() -> None:
    with pytest.raises(AssertionError, match=r"law 1, .*choice 1: compiled play gives a different moment"):
        check_game(broken("rules", step=counts_past_64_bits), matches=0)
