"""The worked cases, each by its id."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.five_circles.table import Table, fight, resources, table
from sparring.games.five_circles import GAME
from sparring.games.five_circles.abilities import ABILITIES, AVOID_DAMAGE
from sparring.games.five_circles.designs import Deck, Design, deck_faults, faults, notes

# Designs and decks

CASES = {
    "D01": (Design("Card", ("Red", "Red"), 3, 3), "2 Red", ["3 circles left empty."]),
    "D02": (Design("Card", ("Red", "Red"), 2, 4), "2 Red", ["3 circles left empty."]),
    "D03": (
        Design("Card", ("Red", "Red"), 3, 2, ("Defender",)),
        "2 Red, 1 Blue",
        ["1 point left over; it is lost.", "2 circles left empty."],
    ),
    "D05": (
        Design("Card", ("Blue",), 1, 2, ("Armor Piercing 1", "Armor Piercing 2")),
        "3 Red, 1 Blue",
        ["1 circle left empty."],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_accepted_designs(case: str) -> None:
    design, price, remarks = CASES[case]
    assert faults(design) == []
    assert design.price == price
    assert notes(design) == remarks


def test_d03_with_points_exact() -> None:
    assert faults(CASES["D03"][0], exact=True) == ["2 circles buy 6 points, but Attack + Health is 5."]


REFUSED = {
    "D07": (Design("Card", ("Red",), 3, 0), ["Health must be a whole number, at least 1."]),
    "D09": (
        Design("Card", ("Red", "Red", "Red"), 5, 4, ("Long Range",)),
        ["The card needs 6 circles; there are only 5."],
    ),
    "D11a": (Design("Card", (), 1, 1, ("Fast",)), ["Buy 1, 2 or 3 circles of points; this card has 0."]),
    "D11b": (
        Design("Card", ("Red", "Red", "Green", "Yellow"), 6, 6),
        ["A circle must be Red, Blue or Green, not Yellow.", "Buy 1, 2 or 3 circles of points; this card has 4."],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_designs(case: str) -> None:
    design, messages = REFUSED[case]
    assert faults(design) == messages


def test_k01_deck_sizes() -> None:
    card = Design("Card", ("Red",), 2, 1)

    def found(characters: int, resources: int) -> Sequence[str]:
        return deck_faults(Deck("Half", ("Card",) * characters, ("Red",) * resources), {"Card": card})

    assert found(14, 16) == found(12, 16) == []
    assert found(11, 16) == ["A player adds 12 to 16 character cards; this list has 11."]
    assert found(14, 19) == ["A player adds 14 to 18 resource cards; this list has 19."]
    for deck in GAME.content.decks:
        assert (len(deck.characters), len(deck.resources)) == (14, 16)
        assert deck_faults(deck, GAME.content.by_name) == []
    setup = GAME.setup()
    assert setup.params.characters == 28
    assert setup.params.resources.sum() == 32


# The turn


@pytest.mark.parametrize(
    ("options", "hand", "deck", "held", "left", "dry"),
    [
        ({}, 0, 5, 3, 2, 0), ({}, 0, 2, 2, 0, 0), ({}, 0, 0, 0, 0, 1), ({}, 1, 3, 2, 2, 0),
        ({"refill": "extra"}, 0, 5, 4, 1, 0),
    ],
)  # fmt: skip
def test_t01_drawing(options: dict[str, Any], hand: int, deck: int, held: int, left: int, dry: int) -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", hand="Red" if hand else "", draw_pile=["Green"] * deck, phase="draw", **options)
    if deck == 0:  # no one has a choice: the match runs to its sixth dry turn
        assert t.match.over
        assert t.s.turn == 10
        return
    assert (t.s.cards[0], t.s.deck[0], t.s.dry) == (held, left, dry)


def test_t01f_the_first_turn() -> None:
    from sparring.engine.match import Match

    match = Match.new(GAME, seed=3)
    assert match.state.cards[match.state.active] == 6
    assert match.state.deck[0] == 49


def test_t03_paying() -> None:
    hand = "Xan 3/3 {Red Red}; Zoe 3/3 {Blue Blue}; Yew 2/1 {Red} [Heal 1, Sleep]"
    # Yew costs 1 Red, 2 Green in the case; here, Sleep and Reorder are its Green circles.
    hand = hand.replace("[Heal 1, Sleep]", "[Sleep, Reorder]")
    t = table("", "", "1 Red, 2 Green, 1 Blue", hand=hand)
    assert t.choices == "play Yew; done"
    assert t.refuses("bring Xan", "bring Zoe")
    t.play("bring Yew")
    assert t.p == "1 Yew"
    assert t.s.ready[0].tolist() == [0, 1, 0]
    assert t.s.spent[0].tolist() == [1, 0, 2]
    assert t.asked == "Q resources"  # P can play and use nothing else
    t = table("", "", "2 Red, 2 Green, 1 Blue", hand=hand).play("bring Yew")
    assert t.refuses("use Yew: Fireball")


def test_t05a_equal_damage_does_not_destroy() -> None:
    assert fight("1 Ash 3/3", "1 Bo 3/3").shows("1 Ash (damage 3)", "1 Bo (damage 3)")


def test_t05b_with_lethal_meet() -> None:
    assert fight("1 Ash 3/3", "1 Bo 3/3", lethal="meet").shows("", "", discard="Ash Bo")


def test_t05c_three_lanes() -> None:
    t = fight("1 Ash 4/2; 2 Bea 2/2; 3 Cid 3/1", "1 Dot 2/3; 2 Eve 3/2; 3 Flo 2/2")
    assert t.shows("1 Ash (damage 2)", "1 Eve (damage 2)", discard="Bea Cid Dot Flo")


def test_t05d_extra_defenders_do_nothing() -> None:
    t = fight("1 Ash 1/4", "1 Bo 1/4; 2 Cy 5/1; 3 Di 5/1")
    assert t.shows("1 Ash (damage 1)", "1 Bo (damage 1); 2 Cy; 3 Di")


def test_t05e_extra_attackers_hit_the_player() -> None:
    t = fight("1 Ash 1/3; 2 Bea 2/1; 3 Cid 3/1", "1 Dot 1/3", life=(9, 2))
    assert t.shows("1 Ash (damage 1); 2 Bea; 3 Cid", "1 Dot (damage 1)", (9, 0))
    assert t.match.payoffs == {1: 1.0, 2: -1.0}


@pytest.mark.parametrize(
    ("options", "life", "over"),
    [({}, 0, True), ({"opening": "hold"}, 2, False), ({"summons": "wait"}, 2, False)],
)
def test_t07_the_first_turn(options: dict[str, str], life: int, over: bool) -> None:
    t = table(
        "",
        "",
        hand="Ash 2/1; Red; Green",
        q_hand="Cy 2/1; Red",
        q_ready="1 Red",
        turn=1,
        life=(2, 2),
        phase="resources",
        **options,
    )
    t.play("resource:Red; done; bring Ash")
    assert t.match.over is over
    assert t.life == (2, life)
    if options.get("opening") == "hold":
        assert t.asked == "Q resources"
        t.play("done; bring Cy; done")  # turn 2 has combat: Ash blocks Cy
        assert t.shows("", "", (2, 2), "Ash Cy")


@pytest.mark.parametrize(("life", "payoffs"), [((2, 1), {1: 1.0, 2: -1.0}), ((2, 2), {1: 0.0, 2: 0.0})])
def test_t08_an_empty_deck(life: tuple[int, int], payoffs: dict[int, float]) -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", life=life, turn=1, phase="draw", draw_pile=["Green"])
    while not t.match.over:
        t.play("done")  # no one plays the Green
    assert t.s.turn == 7
    assert t.match.ending == "the deck ran dry"
    assert t.match.payoffs == payoffs


# Abilities, red


def test_a01a_armor_piercing_1_against_armor_2() -> None:
    t = fight("1 Ash 4/3 [Armor Piercing 1]", "1 Dot 1/2 [Armor 2]")
    assert t.shows("1 Ash (damage 1)", "", discard="Dot")


def test_a01b_without_piercing() -> None:
    assert fight("1 Ash 4/3", "1 Dot 1/2 [Armor 2]").shows("1 Ash (damage 1)", "1 Dot (damage 2)")


def test_a03a_self_destruct() -> None:
    t = fight(
        "1 Ash 1/2 [Self Destruct]; 2 Bea 2/2",
        "1 Dot 3/3 [Armor 2]; 2 Eve 1/3",
        "use Ash: Self Destruct",
        "Self Destruct",
    )
    assert t.shows("1 Bea (damage 1)", "1 Eve (damage 2)", discard="Ash Dot")
    assert t.ready(0) == ""


def test_a03b_self_destruct_without_an_enemy_in_front() -> None:
    t = table("1 Ash 1/2; 2 Bea 1/2 [Self Destruct]", "1 Dot 1/2", "Self Destruct, 1 Red")
    assert t.choices == "done"
    assert t.refuses("use Bea: Self Destruct")
    assert t.end().shows("1 Ash (damage 1); 2 Bea", "1 Dot (damage 1)", (9, 8))
    assert t.ready(0) == resources("Self Destruct, 1 Red")


def test_a05_attack_boost_2() -> None:
    t = table(
        "1 Ash 1/2; 2 Bea 1/2 [Attack Boost 2, Fireball]; 3 Cid 1/2", "1 Dot 1/1; 2 Eve 1/1", "Attack Boost 2, 1 Red"
    )
    t.play("use Bea: Attack Boost 2")
    assert t.refuses("use Bea: Attack Boost 2")
    assert t.end().shows("1 Ash (damage 1); 2 Bea (damage 1); 3 Cid", "1 Eve (damage 1)", (9, 6), "Dot")
    assert t.ready(0) == "1 Red"


def test_a07a_fireball_before_combat() -> None:
    t = fight("1 Ash 2/2 [Fireball]; 2 Bea 1/5", "1 Dot 1/2; 2 Eve 1/1 [Armor 2]", "use Ash: Fireball; Dot", "Fireball")
    assert t.shows("1 Ash (damage 1); 2 Bea (damage 1)", "1 Eve", discard="Dot")


def test_a07b_fireball_ignores_armour() -> None:
    t = fight("1 Ash 2/2 [Fireball]", "1 Dot 1/1 [Armor 2]", "use Ash: Fireball; Dot", "Fireball")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1)")
    assert t.ready(0) == ""


# Abilities, blue


def test_a09_armor_1_works_for_both_sides() -> None:
    t = fight("1 Ash 3/3 [Armor 1]", "1 Dot 4/3 [Armor 1]")
    assert t.shows("1 Ash (damage 3)", "1 Dot (damage 2)")


def test_a11a_heal_1_in_brace() -> None:
    t = fight(
        "1 Ash 2/4", "1 Dot 1/4 [Heal 1] (damage 3)", "done; Q brace> use Dot: Heal 1; Q pick> Dot", q_ready="Heal 1"
    )
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 4)")
    assert t.ready(1) == ""


def test_a11b_heal_cannot_rescue_by_default() -> None:
    t = table("1 Ash 5/4", "1 Dot 1/4; 2 Eve 1/2 [Heal 1]", q_ready="Heal 1", phase="brace")
    assert t.choices == "done"
    assert t.refuses("use Eve: Heal 1")
    assert t.end().shows("1 Ash (damage 1)", "1 Eve", discard="Dot")
    assert t.ready(1) == resources("Heal 1")


def test_a13_defender_helps_neighbours() -> None:
    t = fight("1 Ash 3/3; 2 Bea 3/3; 3 Cid 3/3", "1 Dot 1/2; 2 Eve 1/3 [Defender]; 3 Fay 1/2")
    assert t.shows(
        "1 Ash (damage 1); 2 Bea (damage 1); 3 Cid (damage 1)", "1 Dot (damage 3); 2 Eve (damage 3); 3 Fay (damage 3)"
    )


def test_a15a_avoid_damage() -> None:
    t = fight("1 Ash 6/3", "1 Dot 4/1 [Avoid Damage]", "done; Q answer> avoid", q_ready="Avoid Damage, 1 Blue")
    assert t.shows("", "1 Dot", discard="Ash")
    assert t.ready(1) == "1 Blue"


def test_a15b_avoid_damage_without_the_price() -> None:
    short = f"{ABILITIES[AVOID_DAMAGE].price - 1} Blue"
    t = table("1 Ash 6/3", "1 Dot 4/1 [Avoid Damage]", q_ready=short)
    assert t.refuses("avoid")
    assert t.play("done").shows("", "", discard="Ash Dot")
    assert t.ready(1) == resources(short)


# Abilities, green


def test_a17a_fast_destroys_first() -> None:
    assert fight("1 Ash 3/1 [Fast]", "1 Dot 7/2").shows("1 Ash", "", discard="Dot")


def test_a17b_fast_does_not_destroy() -> None:
    assert fight("1 Ash 3/1 [Fast]", "1 Dot 2/3").shows("", "1 Dot (damage 3)", discard="Ash")


def test_a17c_fast_on_defence() -> None:
    assert fight("1 Ash 5/2", "1 Dot 3/1 [Fast]").shows("", "1 Dot", discard="Ash")


def test_a19_future_vision() -> None:
    def look(*deck: str) -> Table:
        p, q = "1 Ash 1/2 [Future Vision, Sleep]", "1 Dot 1/2"
        return table(p, q, "Future Vision, Sleep", q_hand="Green", draw_pile=list(deck)).play("use Ash: Future Vision")

    t = look("Red", "Blue", "Green", "Blue")
    assert (t.top(1), t.top(2)) == ("Red Blue Green ?", "? ? ? ?")
    assert t.ready(0) == resources("Sleep")
    t.end()  # Q draws the Red
    assert (t.top(1), t.top(2)) == ("Blue Green ?", "? ? ?")
    assert t.match.view(1).state.held[1].tolist() == [1, 0, 0]  # P knows where it went
    assert look("Red", "Blue").top(1) == "Red Blue"
    t = table("1 Ash 1/2 [Future Vision]", "", "Future Vision", draw_pile=[])
    assert t.refuses("use Ash: Future Vision")
    assert t.ready(0) == resources("Future Vision")


def test_a21a_reflect_on_defence() -> None:
    assert fight("1 Ash 5/4", "1 Dot 1/3 [Reflect]").shows("1 Ash (damage 4)", "", discard="Dot")


def test_a21b_reflect_does_nothing_for_the_attacker() -> None:
    assert fight("1 Ash 1/6 [Reflect]", "1 Dot 5/3").shows("1 Ash (damage 5)", "1 Dot (damage 1)")


def test_a23_extra_card_and_a_chain_of_two() -> None:
    hand = "Ash 1/2 [Extra Card]; Bea 1/2 [Extra Card]; Old 4/5 {Blue Green Green} [Restore]; Blue"
    t = table("1 Zed 1/2", "", "1 Red, 3 Green", hand=hand)
    t.play("P main> bring Ash")
    assert t.choices == "Bea; Old; none"
    t.play("P extra> Bea")
    assert t.choices == "Old; none"
    t.play("P extra> Old")
    assert t.p == "1 Zed; 2 Ash; 3 Bea; 4 Old"
    assert (t.ready(0), t.hand(0)) == ("", "Blue")


# Interactions


def test_i01a_fast_destroys_a_reflect_card() -> None:
    assert fight("1 Ash 4/2 [Fast]", "1 Dot 5/3 [Reflect]").shows("1 Ash", "", discard="Dot")


def test_i01b_fast_does_not_destroy_a_reflect_card() -> None:
    assert fight("1 Ash 3/3 [Fast]", "1 Dot 2/5 [Reflect]").shows("", "1 Dot (damage 3)", discard="Ash")


def test_i03_reflect_counts_what_lands() -> None:
    assert fight("1 Ash 4/2 [Armor 2]", "1 Dot 3/2 [Armor 1, Reflect]").shows("", "", discard="Ash Dot")


def test_i05_disperse_and_reflect_on_one_card() -> None:
    t = table("1 Ash 5/4", "1 Dot 2/2 [Disperse, Reflect]; 2 Eve 1/3", q_ready="Disperse").play(
        "done; Q answer> disperse"
    )
    assert t.choices == "Eve; keep"
    t.play("Q spread> Eve; Q spread> Eve; Q spread> keep")
    assert t.shows("1 Ash (damage 4)", "1 Eve (damage 2)", discard="Dot")
    assert t.ready(1) == ""


def test_i07_avoid_lasts_and_dispersed_points_vanish() -> None:
    t = table(
        "1 Ash 2/3 [Fireball]; 2 Bea 3/3",
        "1 Dot 1/1 [Avoid Damage]; 2 Eve 2/1 [Disperse]",
        "Fireball",
        "Avoid Damage, Disperse",
    )
    t.play("use Ash: Fireball; P pick> Dot; Q answer> avoid; Q answer> disperse; Q spread> Dot; Dot; Dot")
    assert t.end().shows("1 Ash (damage 1); 2 Bea (damage 2)", "1 Dot; 2 Eve")
    assert (t.ready(0), t.ready(1)) == ("", "")


def test_i09a_sleep_stops_a_long_range_attacker() -> None:
    t = table("1 Ash 3/2 {Red Red} [Long Range]", "1 Dot 1/2 [Sleep]", "Long Range", "Sleep")
    t.play("P main> use Ash: Long Range; Q brace> use Dot: Sleep; Q pick> Ash")
    assert t.shows("1 Ash", "1 Dot")
    assert (t.ready(0), t.ready(1)) == ("", "")


def test_i09b_sleep_the_card_in_front_of_a_target_user() -> None:
    t = table("1 Ash 3/1 [Target]; 2 Bea 1/3 [Sleep]", "1 Dot 4/5; 2 Eve 2/2", "Target, Sleep")
    t.play("use Ash: Target; Eve; use Bea: Sleep; Dot")
    assert t.end().shows("1 Ash; 2 Bea", "1 Dot", (9, 8), "Eve")


def test_i11a_the_targeted_card_is_already_gone() -> None:
    t = fight("1 Ash 3/2; 2 Bea 3/3 [Target]", "1 Dot 1/2; 2 Eve 2/2", "use Bea: Target; Dot", "Target")
    assert t.shows("1 Ash (damage 1); 2 Bea (damage 2)", "", discard="Dot Eve")


def test_i11b_target_opens_a_later_lane() -> None:
    t = fight(
        "1 Ash 3/2 [Target]; 2 Bea 1/5; 3 Cid 2/2", "1 Dot 1/2; 2 Eve 1/5; 3 Fay 7/2", "use Ash: Target; Fay", "Target"
    )
    assert t.shows("1 Ash (damage 1); 2 Bea (damage 1); 3 Cid", "1 Dot; 2 Eve (damage 1)", (9, 7), "Fay")


def test_i13_boosts_add_up_and_feed_long_range() -> None:
    p = "1 Ash 1/2 [Attack Boost 1]; 2 Bea 1/1 [Long Range]; 3 Cid 1/2 [Attack Boost 2]"
    t = fight(p, "1 Dot 1/3; 2 Eve 4/5", "use Bea: Long Range; use Cid: Attack Boost 2", "Long Range, Attack Boost 2")
    assert t.shows("1 Ash (damage 1); 2 Bea; 3 Cid", "1 Dot (damage 1); 2 Eve", (9, 4))


def test_i15a_fireball_heal_in_brace_then_combat() -> None:
    t = table("1 Ash 2/2 [Fireball]; 2 Bea 3/3", "1 Dot 1/5 [Heal 1]; 2 Eve 1/2 [Armor 1]", "Fireball", "Heal 1")
    t.play("use Ash: Fireball; Eve; Q brace> use Dot: Heal 1; Q pick> Eve")
    assert t.end().shows("1 Ash (damage 1); 2 Bea (damage 1)", "1 Dot (damage 2); 2 Eve (damage 2)")


def test_i15b_without_the_heal() -> None:
    t = fight("1 Ash 2/2 [Fireball]; 2 Bea 3/3", "1 Dot 1/5; 2 Eve 1/2 [Armor 1]", "use Ash: Fireball; Eve", "Fireball")
    assert t.shows("1 Ash (damage 1); 2 Bea (damage 1)", "1 Dot (damage 2)", discard="Eve")
