"""Positions: fields and defaults, round trips, and the errors of bad positions."""

from typing import Any

import pytest

from games.mace.table import NAME, Table, adjacent, table
from sparring import BadPosition, Match, SparringError
from wording import says


def position(**fields: Any) -> Table:
    return Table(Match.from_position({"game": NAME, "seats": 3, **fields}))


def test_an_empty_position_is_dealt_from_the_seed() -> None:
    one, other = position(seed=1), position(seed=2)
    assert one.field("hands") != other.field("hands")
    assert one.match.position() == position(seed=1).match.position()
    assert [len(hand) for hand in one.field("hands")] == [5, 5, 5]
    assert one.deck == 54 - 15 - 3
    assert one.to_move == "S1 turn"


def test_the_deck_is_written_from_the_top() -> None:
    t = position(
        hands=["3C 4C 5C", None, None],
        momentum=["2C", None, None],
        draw_pile="KS QS ...",
        fighters=["0,0", "5,0", "6,0"],
    )
    t.play("S1: charge 3C; boost 4C")
    assert {"KS", "QS"} <= t.hand(1)


def test_cards_not_named_go_below() -> None:
    t = table("3C", "4C", momentum=["2C", "2S"], draw_pile="KS ...", discard_pile="9H")
    assert (t.deck, t.discard) == (54 - 5, "9H")
    assert t.field("draw_pile")[0] == "KS"
    t = table("3C", "4C", momentum=["2C", "2S"], discard_pile="... 9H")
    assert (t.deck, len(t.field("discard_pile"))) == (0, 50)
    assert t.field("discard_pile")[-1] == "9H"


def test_hexes_may_be_lists() -> None:
    assert position(fighters=[[0, 0], (1, -1), "2,3"]).field("fighters") == ["0,0", "1,-1", "2,3"]
    assert position(fighters=["(0,0)", "( 1, \N{MINUS SIGN}1 )", "2, 3"]).field("fighters") == ["0,0", "1,-1", "2,3"]


def test_the_order_follows_from_momentum() -> None:
    t = position(momentum=["5C", "KH", "KS"], active=3)
    assert (t.field("order"), t.field("place"), t.to_move) == ([2, 3, 1], 2, "S3 turn")
    assert position(phase="round", momentum=["5C", "KH", "KS"]).to_move == "S2 turn"


def test_the_player_follows_from_the_phase() -> None:
    assert position(phase="momentum", momentum=["9C", "", ""]).to_move == "S2 momentum"
    assert position(phase="defence", target=3, attack=9, damage=9).to_move == "S3 defence"
    assert position(phase="forfeit", momentum=["5C", "KH", "KS"], place=4).to_move == "S2 forfeit"


def test_the_active_seat_follows_from_the_player() -> None:
    t = table(None, "9S 4H", player=2, fighters=["0,0", "1,0"], momentum=["2C", "3C"])
    assert (t.to_move, t.field("active"), t.field("place")) == ("S2 turn", 2, 1)
    t.play("strike 9S; target 1")
    assert t.to_move == "S1 defence"
    assert "9S" not in t.hand(2)


def test_the_forfeits_begin_with_the_first_of_the_order() -> None:
    t = position(phase="forfeit", momentum=["5C", "KH", "KS"])
    assert t.play("S2: stay; S3: stay; S1: stay").field("round") == 2
    t = position(phase="forfeit", momentum=["5C", "KH", "KS"], player=3)
    assert t.play("S3: stay; S1: stay").field("round") == 2
    assert (
        position(phase="forfeit", momentum=["5C", "KH", "KS"], out=[2], hands=[None, "", None]).to_move == "S3 forfeit"
    )


def test_a_combat_from_its_first_choice_starts_with_round_1() -> None:
    t = table("9C 2H", "8C 3H", phase="momentum")
    assert t.field("round") == 0
    assert t.play("9C; 8C").field("round") == 1


def test_a_round_starts_with_momentum_for_everyone() -> None:
    t = position(phase="round")
    assert all(t.field("momentum"))
    assert t.field("player") == t.field("order")[0]


def test_in_the_middle_of_an_attack_the_action_is_used() -> None:
    hands = "9S 4C 3H", "6D 7H 8C"
    near: dict[str, Any] = {"fighters": ["0,0", "1,0"], "momentum": ["9C", "2C"]}
    t = table(*hands, phase="target", attack=8, **near).play("S1: target 2; S2: block 6D")
    assert (t.damage, t.to_move) == (2, "S2 pay")
    t = table(*hands, phase="defence", player=2, attack=8, **near).play("S2: dodge 7H")
    assert (t.damage, t.to_move) == (8, "S2 pay")
    t = table(*hands, phase="pay", target=2, damage=4, **near)
    assert t.field("hurt")
    t.play("S2: pay 7H")
    assert t.to_move == "S1 turn"
    assert set(t.choices) == {"boost 9S", "boost 4C", "boost 3H", "end"}


def test_in_the_middle_of_a_boost_the_boost_is_used() -> None:
    t = table("9S 4H", None, phase="move", steps=2, momentum=["9C", "2C"]).play("to -2,0")
    assert t.choices == ["end"]


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_a_match_reads_back(seed: int) -> None:
    options = {"discard_timing": ["at_once", "after_attack"][seed % 2], "jokers": seed % 5}
    match = Match.new(NAME, seats=2 + seed % 3, seed=seed, options=options)
    while not match.over and len(match.history) < 150:
        legal = [action for action in match.legal() if action not in match.game.conceding]
        match.choose(legal[(7 * len(match.history) + seed) % len(legal)])
        again = Match.from_position(match.position())
        assert again.state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"phase": "supper"}, "phase.*supper"),
        ({"hands": ["2C 2C", None, None]}, "2C"),
        ({"hands": ["1C", None, None]}, "1C"),
        ({"hands": ["X3", None, None]}, "X3"),
        ({"hands": ["2C 3C 4C 5C 6C 7C", None, None]}, "hands.*5 cards"),
        ({"hands": ["", None, None]}, "seat 1 has no cards"),
        ({"hands": [None, None]}, "hands must have 3 values"),
        ({"charges": ["2D", "", ""]}, "2D can't be a Charge"),
        ({"momentum": ["X1", None, None]}, "a Joker can't be Momentum"),
        ({"momentum": ["", None, None]}, "seat 1 needs a card"),
        ({"fighters": ["0,0", "0,0", "1,1"]}, "two Fighters can't be on the same hex"),
        ({"fighters": ["7,0", None, None]}, "off the board, which reaches 6"),
        ({"fighters": ["here", None, None]}, "here is not a hex"),
        ({"fighters": [[1, 2, 3], None, None]}, "is not a hex"),
        ({"fighters": [[1, 0.5], None, None]}, "is not a hex"),
        ({"order": [1, 1, 2]}, "order must contain each seat only once"),
        ({"order": [[1], 2]}, "order"),
        ({"place": 9}, "place.*0 to 6"),
        ({"phase": "pay"}, "needs a target"),
        ({"phase": "target"}, "Seat 1 has no legal choice"),
        ({"phase": "blast_card", "hands": ["2H 3H", None, None], "range": 9}, "Seat 1 has no legal choice"),
        ({"phase": "blast_card", "hands": ["2C 3H", None, None], "range": 2}, "Seat 1 has no legal choice"),
        ({"phase": "blast_card", "hands": ["2C 3H", None, None]}, "needs range"),
        ({"phase": "pay", "target": 2}, "needs damage"),
        ({"phase": "move"}, "needs steps"),
        ({"phase": "pay", "target": 2, "damage": 3, "player": 3}, "player must be seat 2 in phase pay, not seat 3"),
        ({"player": 2, "active": 3}, "player must be seat 3 in phase [a-z_]+, not seat 2"),
        ({"phase": "pay", "target": 2, "damage": 3, "active": 2}, "seat 2 can't attack itself"),
        ({"phase": "defence", "target": 2, "damage": 3, "down": [2]}, "seat 2 can't block or dodge while it is"),
        ({"phase": "forfeit", "options": {"forfeits": "off"}}, "needs the option forfeits"),
        ({"phase": "forfeit", "place": 2}, "place must be 4 to 6 in phase forfeit"),
        ({"phase": "round", "out": [2, 3]}, "at least two Fighters must be in"),
        ({"phase": "momentum", "momentum": ["", "9C", ""]}, "seats before the player"),
        ({"out": [1]}, "seat 1 is out"),
        ({"out": [2, 3]}, "at least two Fighters must be in"),
        ({"payoff": ["much", 0, 0]}, "payoff.*much"),
        ({"colour": "red"}, "colour"),
        ({"knock": {"seat": 1}}, "is not a hex"),
        ({"acted": 1}, "acted"),
    ],
)  # fmt: skip
def test_bad_positions_are_refused_with_a_reason(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        position(**fields)


def test_a_match_from_a_position_is_recorded() -> None:
    t = adjacent("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S").play("strike 9S; target 2; take")
    assert Match.from_record(t.match.record()).state.tobytes() == t.match.state.tobytes()


@pytest.mark.parametrize("words", ["strike", "strike QS", "fly", "to 2,-1", "pay 9S", "7D", "target 9", "B", ""])
def test_illegal_words_change_nothing(words: str) -> None:
    t = adjacent("9S 8S 3H 4C 5D", None)
    with pytest.raises(SparringError):
        t.match.choose(words)
    assert t.match.history == []


def test_aliases() -> None:
    t = adjacent("9S 8S 3H 4C 5D", "9D 8D KH 7C X1", draw_pile="2D 3D ...")
    t.play("STRIKE 9s; B")
    assert t.match.seat == 2
    assert says(t.refusal("X1"), "block, dodge or take it")
    t.play("9D")
    assert t.to_move == "S1 turn"
    t = Table(Match.new(NAME, seed=2))
    assert t.play(f"momentum {t.choices[0]}").to_move == "S2 momentum"
    t = table("9C 2H 3H", None, fighters=["0,0", "0,4"], momentum=["6C", None]).play("boost 9C; to -1, 2")
    assert t.at(1) == "-1,2"
    for written in ("-1,2", "(-1, 2)", "to (-1,2)", "move -1,2"):
        t = table("9C 2H 3H", None, fighters=["0,0", "0,4"], momentum=["6C", None]).play(f"boost 9C; {written}")
        assert t.at(1) == "-1,2"


def test_a_minus_sign_matters() -> None:
    t = table("9C 2H 3H", None, fighters=["0,0", "6,0"], momentum=["6C", None]).play("boost 9C; to 2,-1")
    assert t.at(1) == "2,-1"
    t = table("9C 2H 3H", None, fighters=["0,0", "6,0"], momentum=["6C", None]).play("boost 9C; to 2,1")
    assert t.at(1) == "2,1"
