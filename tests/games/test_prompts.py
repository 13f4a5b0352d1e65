"""Prompts warn before a choice that loses or wastes something: position, choices, prompt."""

from typing import Any

import pytest

from sparring import Match
from sparring.games.five_circles.abilities import price_of
from wording import says


def prompt(game: str, play: str = "", **position: Any) -> str:
    """Return the prompt of the seat to choose."""
    match = Match.from_position({"game": game, **position})
    match.play(play)
    return str(match.view(match.seat or 0).scene.prompt.sentence)


MOVES = "make-your-moves"
ATTACK = "target 2; Elbow; Piledriver; done"  # 2 + 3 in blue and red
DEFEND = ["attacks with 5", "Red, Blue and Wild", "don't defend"]


@pytest.mark.parametrize(
    ("seats", "hand", "play", "parts", "missing"),
    [
        (2, "Green3 Yellow3", "", ["attacks with 5", "none of your cards"], "don't defend"),
        (2, "Red1 Blue2", "", [*DEFEND, "best is 3", "not enough to block"], "help"),
        (3, "Red1 Blue2", "", [*DEFEND, "best is 3", "not enough to block", "without help"], "more"),
        (2, "Red1 Red1 Red1 Red2 Wild1", "", DEFEND, "best"),
        (2, "Red1 Red2 Red3", "Red1", ["attacks with 5", "you have 1", "4 more", "add only 3"], "best"),
        (2, "Red1 Red1 Blue2 Wild1", "Red1", ["attacks with 5", "you have 1", "4 more"], "only"),
        (2, "Red3 Blue2 Wild2", "Red3; Blue2", ["attacks with 5", "you have 5", "enough to block"], "control"),
        (2, "Red3 Blue3 Wild2", "Red3; Blue3", ["attacks with 5", "you have 6", "enough to take control"], "score"),
        (2, "Red3 Blue2 Wild2", "Red3; Blue2; Wild2", ["with 5", "you have 7", "take control", "score"], "block"),
    ],
)  # fmt: skip
def test_the_defence_question_says_what_suffices(
    seats: int, hand: str, play: str, parts: list[str], missing: str
) -> None:
    hands = ["Elbow, Piledriver", hand, *["Green1"] * (seats - 2)]
    question = prompt(MOVES, f"{ATTACK}; {play}", seats=seats, hands=hands)
    assert says(question, "Seat 1", *parts)
    assert not says(question, missing)


def test_a_high_defence_does_damage_in_an_elimination_match() -> None:
    hands, options = ["Elbow, Piledriver", "Red3 Blue2 Wild2"], {"match": "elimination"}
    question = prompt(MOVES, f"{ATTACK}; Red3; Blue2; Wild2", hands=hands, options=options)
    assert says(question, 7, "take control", "damage")


def test_only_one_wild_counts_if_only_one_may_be_played() -> None:
    hands = ["Elbow, Piledriver", "Red1 Wild2 Wild3"]
    question = prompt(MOVES, ATTACK, hands=hands, options={"defence_wilds": "one"})
    assert says(question, "best is 4", "not enough to block")


@pytest.mark.parametrize(
    ("defence", "hand", "totals", "useless"),
    [("Red2 Blue2", "Green1", [5, 4], False), ("Red1", "Green1 Wild2", [5, 1], True)],
)
def test_help_that_changes_nothing(defence: str, hand: str, totals: list[int], useless: bool) -> None:
    position: dict[str, Any] = {"phase": "assist_card", "attack": "Elbow, Piledriver", "defence": defence}
    question = prompt(MOVES, seats=3, hands=["Green3", "Green2", hand], **position)
    assert says(question, *totals, "help", "stay out")
    assert says(question, "none of your cards") == useless


def test_an_attack_that_no_card_fits_can_only_be_ended() -> None:
    hands = ["Elbow, Piledriver, Knee", "Red1"]
    assert says(prompt(MOVES, "target 2; Elbow", hands=hands), "add a card")
    assert says(prompt(MOVES, "target 2; Elbow; Piledriver", hands=hands), "can't add", "end your attack")


def test_passing_gives_control_away() -> None:
    question = prompt(MOVES, seats=3, control=2, options={"pass_attack": "yes"})
    assert says(question, "in control", "target", "pass", "control", "Seat 3")
    assert not says(prompt(MOVES, seats=3), "pass")


FIGHTERS = "world-of-fighters"
RING: dict[str, Any] = {
    "squares": ["c3", "e3"],
    "options": {"board": "5x5"},
    "hands": ["Grapple Kick Kick", "Kick Punch Block"],
}


def test_a_movement_card_that_leads_nowhere() -> None:
    first = prompt(FIGHTERS, **RING)
    assert says(first, "You move first", "Move 3 has nowhere to go", "can't move loses")
    assert not says(first, "right now")
    second = prompt(FIGHTERS, "move 1; kick", **{**RING, "squares": ["a1", "c3"]})
    assert says(second, "Seat 1 moves first", "Move 3 has nowhere to go right now", "can't move loses")
    assert not says(prompt(FIGHTERS, **{**RING, "squares": ["a1", "e3"]}), "nowhere")


def test_a_counter_out_of_range() -> None:
    hands = ["Grapple Kick Kick", "Kick Grapple Block"]
    fight: dict[str, Any] = {
        "round": 3,
        "squares": ["b3", "f4"],
        "fighters": ["Hai Wu", "Duke Rafferty"],
        "hands": hands,
    }
    told = prompt(FIGHTERS, "move 2; kick; move 1; block; d3; g4", **fight)
    assert says(told, "Grapple does nothing", "range 3")
    assert "nothing" not in prompt(FIGHTERS, "move 2; kick; move 2; block; d3; f2", **fight)


def test_the_edge_under_a_called_super() -> None:
    fight: dict[str, Any] = {
        "squares": ["b3", "f4"],
        "fighters": ["Hai Wu", "Duke Rafferty"],
        "health": [20, 7],
        "round": 3,
    }
    told = prompt(FIGHTERS, "move 2; kick; move 1; call punch", hands=["Kick", "Punch"], **fight)
    assert says(told, "Move 2 squares", "edge", "range 1", "Seat 2's Haymaker", "out of the ring")
    calm = prompt(FIGHTERS, "move 2; kick; move 1; punch", hands=["Kick", "Punch"], **fight)
    assert says(calm, "Move 2 squares")
    assert not says(calm, "edge")


CIRCLES = "five-circles"


@pytest.mark.parametrize(
    ("row", "end"),
    [("1 Smoke Dancer (damage 1)", ("destroyed",)), ("1 Smoke Dancer", ("survive", "2 damage", "2 health"))],
)
def test_damage_that_destroys(row: str, end: tuple[str, ...]) -> None:
    ready = ["", price_of("Avoid Damage")]
    told = prompt(CIRCLES, "done", turn=3, rows=["1 Kite Archer", row], ready=ready, hands=["Red", "Red"])
    assert says(told, "Smoke Dancer", "2 damage", *end)


def test_holding_back_loses_what_was_paid() -> None:
    lane: dict[str, Any] = {
        "phase": "lane",
        "combat": {"lane": 1},
        "options": {"attack": "may"},
        "hands": ["Red", "Red"],
    }
    rows = ["1 Kite Archer (used Target, target Pebble Crab)", "1 Pebble Crab"]
    assert says(prompt(CIRCLES, rows=rows, **lane), "attack", "Kite Archer", "holds back", "lost")
    assert not says(prompt(CIRCLES, rows=["1 Kite Archer", "1 Pebble Crab"], **lane), "lost")


def test_serenity_makes_attacks_useless() -> None:
    told = prompt(CIRCLES, turn=3, rows=["1 Spark Witch", "1 Pebble Crab"], ready=[price_of("Fireball"), ""],
                  hands=["Red", "Red"], serene=["S2"])  # fmt: skip
    assert says(told, "Serenity", "damage", "opponent", "this turn")


def test_an_extra_card_is_now_or_never() -> None:
    hands: dict[str, Any] = {
        "turn": 3,
        "hands": ["Caravan Master, Hedge Warden, Red", "Red"],
        "ready": ["Red, 3 Green", ""],
    }
    assert says(prompt(CIRCLES, "bring Caravan Master", **hands), "Extra Card", "free", "now")


@pytest.mark.parametrize(
    ("row", "hand", "parts", "absent"),
    [
        ("1 Spark Witch", "Kite Archer", ("play characters", "use abilities", "attack"), "combat"),
        ("1 Pebble Crab", "Kite Archer", ("play characters", "attack"), "abilities"),
        ("1 Spark Witch", "Red", ("use abilities", "attack"), "play"),
    ],
)
def test_the_main_part_names_what_can_be_done(row: str, hand: str, parts: tuple[str, ...], absent: str) -> None:
    ready = [f"2 Red, {price_of('Fireball')}", ""]
    told = prompt(CIRCLES, turn=3, rows=[row, "1 Iron Tortoise"], ready=ready, hands=[hand, "Red"])
    assert says(told, *parts)
    assert not says(told, absent)
    options = {"opening": "hold"}
    told = prompt(CIRCLES, turn=1, options=options, rows=[row, "1 Iron Tortoise"], ready=ready, hands=[hand, ""])
    assert says(told, *parts[:-1])
    assert says(told, "no combat")
