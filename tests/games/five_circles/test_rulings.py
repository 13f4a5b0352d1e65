"""Rulings that no worked case covers."""

from contextlib import nullcontext

import pytest

from games.five_circles.table import fight, table
from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import read_toml
from sparring.engine.match import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.state import RESOURCE

# The turn


def test_either_seat_may_go_first() -> None:
    assert {int(Match.new(GAME, seed=seed).state.active) for seed in range(8)} == {0, 1}


def test_two_resources_a_turn_and_two_again_in_the_next() -> None:
    t = table(hand="Green; Green; Green", q_hand="Red", phase="resources", draw_pile=["Red"] * 4)
    t.play("resource green; resource green")
    assert (t.asked, t.hand(0), t.ready(0)) == ("Q resources", "Green", "2 Green")
    t.play("done; P resources> resource green; P resources> resource red")
    assert (t.asked, t.ready(0)) == ("Q resources", "1 Red, 3 Green")


def test_no_brace_against_an_empty_row() -> None:
    q = "1 Dot 1/2 [Serenity]"
    assert table("", q, q_ready="Serenity", q_hand="Red").play("done").asked == "Q resources"
    assert table("1 Ash 1/2", q, q_ready="Serenity").play("done").asked == "Q brace"


def test_brace_stays_open_when_the_last_attacker_is_destroyed() -> None:
    q = "1 Dot 1/2 [Fireball]; 2 Eve 1/2 [Serenity]"
    t = table("1 Ash 1/1 (damage 1)", q, q_ready="Fireball, Serenity").play("done; Q brace> use Dot: Fireball; Ash")
    assert (t.asked, t.p) == ("Q brace", "")


def test_mend_opens_for_own_damage_and_then_heals_any() -> None:
    p = "1 Ash 2/5 [Heal 1]; 2 Bea 1/2 [Heal 1]"
    t = table(p, "1 Dot 1/5; 2 Eve 1/5 [Sleep]", "Heal 1, Heal 1").play("done")
    assert t.asked == "P mend"
    t.play("use Bea: Heal 1")
    assert t.choices == "Ash; Bea; Dot; Eve"
    t = table("1 Ash 3/5 [Heal 1]", "1 Dot 1/2 [Self Destruct]", "Heal 1", q_hand="Red").play("done")
    assert (t.asked, t.p) == ("P mend", "1 Ash (damage 1)")
    t = table("1 Ash 1/5 [Armor 1, Heal 1]", "1 Dot 1/5", "Heal 1", q_hand="Red").play("done")
    assert (t.asked, t.q) == ("Q resources", "1 Dot (damage 1)")  # only Dot has damage


def test_effects_end_with_the_turn() -> None:
    p = "1 Ash 1/5 [Target, Fireball]; 2 Bea 1/2 [Serenity]"
    t = table(p, "1 Dot 1/5; 2 Eve 1/5", "Target, Fireball, Serenity", q_hand="Red", draw_pile=["Green"] * 8)
    t.play("use Ash: Target; Eve; use Ash: Fireball; Eve; use Bea: Serenity")
    assert t.shows("1 Ash", "1 Dot; 2 Eve (damage 1)", discard="Bea")
    t.play("Q resources> done")  # Serenity is over on Q's turn: Dot and Ash strike, Eve is unopposed
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1); 2 Eve", (8, 9), "Bea")
    t.play("P resources> done")
    assert t.choices == "use Ash: Target; use Ash: Fireball; done"
    t.play("done")  # Ash fights Dot, not Eve
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 2); 2 Eve", (8, 9), "Bea")


def test_life_does_not_go_below_0() -> None:
    assert fight("1 Ash 5/1", "", life=(9, 2)).life == (9, 0)


# The discard pile


def test_the_turn_players_cards_are_discarded_first_from_lane_1_outward() -> None:
    for active in (1, 2):
        rows = ("1 Ash 1/1 (damage 2); 2 Bea 1/1 (damage 2)", "1 Dot 1/1 (damage 2); 2 Eve 1/1 (damage 2)")
        t = table(*rows, phase="brace", active=active, hand="Red", q_hand="Red").play("done")
        order = ["Ash", "Bea", "Dot", "Eve"]
        assert t.position["discard_pile"] == (order if active == 1 else [*order[2:], *order[:2]])


def test_self_destruct_discards_its_user_first() -> None:
    for active in (1, 2):
        p, q = "1 Ash 1/2 [Self Destruct]", "1 Dot 1/2 [Self Destruct]"
        t = table(p, q, "Self Destruct", "Self Destruct", active=active, hand="Red", q_hand="Red")
        t.play(f"use {'Ash' if active == 1 else 'Dot'}: Self Destruct")
        assert t.position["discard_pile"] == (["Ash", "Dot"] if active == 1 else ["Dot", "Ash"])


def test_a_restored_card_carries_nothing() -> None:
    p = "1 Ash 1/2 {Green} [Restore]; 2 Bea 1/2 {Red} [Self Destruct, Target] (damage 1)"
    t = table(p, "1 Dot 1/5; 2 Eve 1/5", "Restore, Self Destruct, Target, 7 Red")
    t.play("use Bea: Target; Dot; use Bea: Self Destruct; use Ash: Restore; Bea; bring Bea")
    assert t.p == "1 Ash; 2 Bea"
    assert "use Bea: Target" in t.choices
    assert t.end().shows("1 Ash (damage 1); 2 Bea", "1 Dot (damage 1)", (9, 8), "Eve")


# Abilities


def test_heal_works_on_enemies_and_never_above_full_health() -> None:
    t = table("1 Ash 1/5 [Heal 2]", "1 Dot 1/5 (damage 1)", "Heal 2").play("use Ash: Heal 2")
    assert t.choices == "Dot"
    assert t.play("Dot").end().shows("1 Ash (damage 1)", "1 Dot (damage 1)")


def test_sleep_needs_an_awake_enemy() -> None:
    p = "1 Ash 1/2 [Sleep]; 2 Bea 1/2 [Sleep]"
    t = table(p, "1 Dot 1/2; 2 Eve 1/2", "Sleep, Sleep").play("use Ash: Sleep; Dot; use Bea: Sleep")
    assert t.choices == "Eve"
    assert table(p, "1 Dot 1/2 (asleep)", "Sleep, Sleep").refuses("use Ash: Sleep")


def test_reorder_needs_two_different_characters() -> None:
    t = table("1 Ash 1/2 [Reorder]; 2 Bea 1/2", "", "Reorder").play("use Ash: Reorder; Ash")
    assert t.choices == "Bea"
    assert table("1 Ash 1/2 [Reorder]", "", "Reorder").refuses("use Ash: Reorder")


def test_avoid_damage_works_for_its_own_card_only() -> None:
    t = table("1 Ash 2/5", "1 Dot 1/5 [Disperse]; 2 Eve 1/2 [Avoid Damage]", q_ready="Disperse, Avoid Damage").play(
        "done"
    )
    assert t.choices == "disperse; take"


REPEATED = {
    "Fireball", "Heal 1", "Heal 2", "Disperse", "Restore", "Future Vision", "Change the Future", "Reorder", "Sleep",
}  # fmt: skip


@pytest.mark.parametrize("uses", ["once", "repeat"])
@pytest.mark.parametrize(("ability", "picks"), [
    ("Fireball", "; Dot"), ("Heal 1", "; Dot"), ("Heal 2", "; Dot"), ("Restore", "; Extra 1"), ("Future Vision", ""),
    ("Change the Future", "; Green; Green"), ("Reorder", "; Ash; Bea"), ("Sleep", "; Dot"), ("Target", "; Dot"),
    ("Attack Boost 2", ""), ("Long Range", ""),
])  # fmt: skip
def test_which_abilities_can_be_used_again(uses: str, ability: str, picks: str) -> None:
    p = f"1 Ash 1/2 {{Green}} [{ability}]; 2 Bea 1/2 {{Green}} [Target]"
    t = table(p, "1 Dot 1/5 (damage 4); 2 Eve 1/5", f"Target, {ability}, {ability}", uses=uses,
              discard_pile=["Extra", "Extra", "Extra"])  # fmt: skip
    t.play(f"use Ash: {ability}{picks}")
    assert (f"use Ash: {ability}" in t.choices) == (uses == "repeat" and ability in REPEATED)


@pytest.mark.parametrize("uses", ["once", "repeat"])
def test_disperse_again_but_not_avoid(uses: str) -> None:
    p = "1 Ash 1/5 [Fireball]; 2 Bea 1/5 [Fireball]"
    q, q_ready = "1 Dot 1/5 [Avoid Damage, Disperse]; 2 Eve 1/5", "Avoid Damage, Avoid Damage, Disperse, Disperse"
    t = table(p, q, "Fireball, Fireball", q_ready, q_hand="Red", uses=uses, avoid="packet")
    t.play("use Ash: Fireball; Dot; avoid; use Bea: Fireball; Dot")
    assert t.choices == "disperse; take"
    t.play("disperse; Eve")  # then Ash strikes Dot
    assert (t.asked, t.q) == (
        ("Q answer", "1 Dot; 2 Eve (damage 1)") if uses == "repeat" else
        ("Q resources", "1 Dot (damage 1); 2 Eve (damage 2)")
    )  # fmt: skip


# Options that meet


def test_nothing_is_reflected_onto_a_card_that_is_gone() -> None:
    t = fight("1 Ash 3/2 [Reflect]", "1 Dot 4/2", reflect="both")
    assert (t.discard, t.s.damage.any()) == ("Ash Dot", False)


@pytest.mark.parametrize(("q", "left"), [("1 Dot 4/5", "1 Dot (damage 2)"), ("1 Dot 4/4 [Fast]", "1 Dot")])
def test_a_struck_shooter_reflects_unless_a_fast_card_destroyed_it(q: str, left: str) -> None:
    p = "1 Ash 2/1 [Long Range, Reflect]"
    t = fight(p, q, "use Ash: Long Range", "Long Range", reflect="both", longrange="struck")
    assert (t.p, t.q) == ("", left)


def test_knowing_ones_top_card_reveals_nothing_of_the_other_deck() -> None:
    t = table("1 Ash 1/2 [Future Vision, Fireball]", "1 Dot 1/2", "Future Vision, Fireball", decks="own").play(
        "use Ash: Future Vision"
    )
    mine, other = t.match.view(1).state, t.match.view(2).state
    assert mine.deck[1:4].tolist() == [RESOURCE + 2] * 3
    assert (mine.deck[36:39] < 0).all()
    assert (other.deck[1:4] < 0).all()
    assert (other.deck[36:39] < 0).all()


def test_a_reshuffle_hides_the_top_again() -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", hand="Red", phase="draw", empty="reshuffle", draw_pile=[],
              discard_pile=["Extra", "Extra", "Extra"], known_top=[0, 0])  # fmt: skip
    assert t.s.known_top.tolist() == [0, 0]
    assert (t.match.view(1).state.deck[1:3] < 0).all()


# Ruling by ruling


@pytest.mark.parametrize(("each", "legal"), [(11, False), (12, True), (14, True), (16, True), (17, False)])
def test_r3_two_players_bring_28_characters_and_may_bring_24(each: int, legal: bool) -> None:
    data = read_toml(GAME.content_text, "own")
    data["decks"] = [deck | {"characters": [f"Kite Archer x{each}"]} for deck in data["decks"]]
    with nullcontext() if legal else pytest.raises(BadContent, match=f"12 to 16 character cards; this list has {each}"):
        assert len(GAME.content_from(data, "the case").copies) == 2 * each
    assert [(len(deck.characters), len(deck.resources)) for deck in GAME.content.decks] == [(14, 16)] * 2


def test_r6_two_life_each_by_default() -> None:
    assert Match.new(GAME, seed=1).position()["life"] == [2, 2]


def test_r7_a_hand_has_no_limit() -> None:
    held = "; ".join(["Red"] * 4 + ["Blue"] * 4 + ["Green"] * 4)
    t = table(hand=held, phase="draw", draw_pile=["Red", "Green", "Green"])
    assert len(t.position["hands"][0]) == 13


@pytest.mark.parametrize("decks", ["shared", "own"])
def test_decks_are_shuffled(decks: str) -> None:
    dealt = [Match.new(GAME, seed=seed, options={"decks": decks}).position() for seed in range(4)]
    assert len({str(position["draw_pile"]) for position in dealt}) == 4


def test_r16_a_hand_emptied_by_an_extra_card_draws_at_once_too() -> None:
    hand = "Ash 1/2 [Extra Card]; Bea 1/2"
    t = table("", "", "1 Red, 3 Green", hand=hand, refill="at-once", q_hand="Red").play("bring Ash; Bea")
    assert (t.hand(0), t.p) == ("Green Green Green", "1 Ash; 2 Bea")


def test_r17_the_discards_are_shuffled() -> None:
    discards = ["Red", "Blue", "Green", "Extra"] * 4
    tables = [table(hand="Red", phase="draw", empty="reshuffle", draw_pile=[], discard_pile=discards, seed=seed)
              for seed in range(4)]  # fmt: skip
    assert all(len(t.position["draw_pile"]) == 15 for t in tables)
    assert len({tuple(t.position["draw_pile"]) for t in tables}) == 4


def test_r18_a_resource_can_only_be_played_right_after_the_draw() -> None:
    t = table("1 Ash 1/2 [Fireball]", "1 Dot 1/5", "Fireball", hand="Red; Blue")
    assert t.choices == "use Ash: Fireball; done"
    assert t.refuses("resource red")


def test_r24_characters_recover_before_others_are_played_and_abilities_used() -> None:
    p = "1 Ash 1/2 (damage 3); 2 Bea 1/2 [Defender, Self Destruct]"
    t = table(p, "1 Dot 1/5; 2 Eve 1/5", "Self Destruct", hand="Red", phase="resources")
    t.play("done; use Bea: Self Destruct")  # with 3 damage, Ash would need her health
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1)", discard="Bea Eve")


def test_r25_a_new_character_goes_after_the_last_one_and_fills_no_gap() -> None:
    p = "1 Ash 1/2 [Self Destruct]; 2 Bea 1/2"
    t = table(p, "1 Dot 1/2; 2 Eve 1/5", "Self Destruct, 2 Red", hand="Cid 1/2; Fay 1/2").play(
        "use Ash: Self Destruct; bring Cid"
    )
    assert t.p == "2 Bea; 3 Cid"
    assert t.end().shows("1 Bea (damage 1); 2 Cid", "1 Eve (damage 1)", (9, 8), "Ash Dot")


def test_r25_a_freed_last_lane_is_taken_again() -> None:
    p = "1 Ash 1/2; 2 Bea 1/2 [Self Destruct]"
    t = table(p, "1 Dot 1/5; 2 Eve 1/2", "Self Destruct, 2 Red", hand="Cid 1/2; Fay 1/2").play(
        "use Bea: Self Destruct; bring Cid"
    )
    assert t.p == "1 Ash; 2 Cid"


def test_r27_damage_of_ones_own_turn_and_the_next_adds_up() -> None:
    t = table("1 Ash 1/3", "1 Dot 2/5", q_hand="Red").play("done")
    assert (t.asked, t.p) == ("Q resources", "1 Ash (damage 2)")
    assert t.play("done").shows("", "1 Dot (damage 1)", discard="Ash")


def test_r31_gaps_close_in_a_turn_without_combat_too() -> None:
    p, q = "1 Ash 1/2 [Self Destruct]; 2 Bea 1/2", "1 Dot 1/2; 2 Eve 1/2"
    t = table(p, q, "Self Destruct", opening="hold", turn=1, q_hand="Red").play("use Ash: Self Destruct")
    assert t.shows("1 Bea", "1 Eve", discard="Ash Dot")
    t = table("1 Ash 1/2 [Self Destruct]", q, "Self Destruct", q_hand="Red").play("use Ash: Self Destruct")
    assert t.shows("", "1 Eve", discard="Ash Dot")


def test_r33_an_ability_used_on_the_opponents_turn_can_be_used_again_on_ones_own() -> None:
    q = "1 Dot 1/5 [Fireball]"
    t = table("1 Ash 1/5; 2 Bea 1/5", q, q_ready="Fireball, Fireball", q_hand="Red").play(
        "done; use Dot: Fireball; Bea"
    )
    assert t.asked == "Q resources"
    assert t.play("done").choices == "use Dot: Fireball; done"


def test_r35_defender_does_not_help_itself() -> None:
    assert fight("1 Ash 3/3", "1 Dot 1/2 [Defender]").shows("1 Ash (damage 1)", "", discard="Dot")


def test_r38_armour_does_not_stop_a_reflection_on_its_own() -> None:
    t = fight("1 Ash 4/5 [Armor 1]", "1 Dot 3/6 [Fast, Reflect]")  # 3 less 1, then half of 4
    assert t.shows("1 Ash (damage 4)", "1 Dot (damage 4)")


def test_r40_serenity_does_not_stop_self_destruct() -> None:
    p = "1 Ash 1/2 [Self Destruct]; 2 Bea 1/2 [Serenity]"
    t = table(p, "1 Dot 1/2", "Self Destruct, Serenity").play("use Bea: Serenity; use Ash: Self Destruct")
    assert t.shows("", "", discard="Ash Bea Dot")


def test_r42_target_chooses_among_characters_only() -> None:
    p = "1 Ash 1/2 [Target]"
    assert table(p, "1 Dot 1/5; 2 Eve 1/5", "Target").play("use Ash: Target").choices == "Dot; Eve"
    assert table(p, "", "Target").refuses("use Ash: Target")


def test_r43_a_target_that_returns_on_the_users_side_is_gone() -> None:
    p = "1 Ash 3/3 {Green Red} [Target, Fireball]; 2 Bea 1/2 {Green} [Restore]"
    q = "1 Eve 1/8; 2 Dot 1/1 {Red} (damage 1)"
    t = table(p, q, "Target, Fireball, Restore, 1 Red").play("use Ash: Target; Dot; use Ash: Fireball; Dot")
    t.play("use Bea: Restore; Dot; bring Dot").end()
    assert t.shows("1 Ash (damage 1); 2 Bea; 3 Dot", "1 Eve (damage 3)", (9, 7))


@pytest.mark.parametrize(("fireball", "picks"), [("cards", "Dot"), ("players", "Dot; opponent")])
def test_r44_fireball_hits_characters_only_by_default(fireball: str, picks: str) -> None:
    t = table("1 Ash 1/2 [Fireball]", "1 Dot 1/2", "Fireball", fireball=fireball).play("use Ash: Fireball")
    assert t.choices == picks
    t = table("1 Ash 1/2 [Fireball]", "", "Fireball", fireball=fireball)
    assert ("use Ash: Fireball" in t.choices) == (fireball == "players")


def test_r49_avoiding_ends_with_the_turn() -> None:
    t = table("1 Ash 2/5", "1 Dot 1/5 [Avoid Damage]", q_ready="Avoid Damage", q_hand="Red").play("done; avoid")
    assert (t.asked, t.q) == ("Q resources", "1 Dot")
    t.play("done")  # Dot attacks: Q may respond to the strike of Ash again
    assert (t.asked, t.choices) == ("Q answer", "avoid; take")
    t.play("take")
    assert t.q == "1 Dot (damage 2)"


@pytest.mark.parametrize(("health", "struck"), [(1, 2), (5, 3)])
def test_r51_the_second_strike_uses_the_bonuses_left(health: int, struck: int) -> None:
    q = f"1 Dot 2/4; 2 Eve 1/{health} {{Green Green}} [Attack Boost 1]"  # Eve's bonus goes with her
    t = fight("1 Ash 3/6 [Fast, Target]", q, "use Ash: Target; Eve", "Target")
    assert t.p == f"1 Ash (damage {struck})"


def test_r52_restore_takes_any_card_of_the_pile() -> None:
    t = table("1 Ash 1/2 {Green} [Restore]", "", "Restore", discard_pile=["Red", "Extra"]).play("use Ash: Restore")
    assert t.choices == "Red; Extra"
    assert t.play("Red").hand(0) == "Red"


def test_r55_swapped_characters_keep_damage_and_effects() -> None:
    p = "1 Ash 1/5 [Reorder, Target] (damage 2); 2 Bea 1/2"
    t = table(p, "1 Dot 1/5; 2 Eve 1/5", "Reorder, Target", q_hand="Red").play("use Ash: Target; Dot")
    t.play("use Ash: Reorder; Ash; Bea")  # Bea fights Dot; Ash hits Dot, and Eve in front strikes it
    assert t.shows("1 Bea (damage 1); 2 Ash (damage 3)", "1 Dot (damage 2); 2 Eve")


def test_r56_without_a_character_in_hand_extra_card_is_skipped() -> None:
    t = table("", "", "2 Red, 3 Green", hand="Ash 1/2 [Extra Card]; Red; Blue", q_hand="Red", also="Bea 1/2")
    assert t.play("bring Ash").asked == "Q resources"


def test_r57_a_sleeper_wakes_at_the_end_of_the_turn() -> None:
    t = table("1 Ash 1/5 [Sleep]", "1 Dot 1/5", "Sleep", q_hand="Red").play("use Ash: Sleep; Dot")
    assert t.shows("1 Ash", "1 Dot", (9, 8))
    assert t.play("Q resources> done").shows("1 Ash (damage 1)", "1 Dot (damage 1)", (9, 8))


def test_r41_r45_neighbours_boost_a_struck_shot_too() -> None:
    p = "1 Ash 2/4 [Long Range]; 2 Bea 1/2 [Attack Boost 1]"
    t = fight(p, "1 Dot 1/5; 2 Eve 1/5", "use Ash: Long Range", "Long Range", longrange="struck")
    assert (t.p, t.life) == ("1 Ash (damage 1); 2 Bea (damage 1)", (9, 6))


def test_r48_r54_dispersed_damage_is_not_reflected() -> None:
    q = "1 Dot 1/5 [Disperse, Reflect]; 2 Eve 1/5"
    t = fight("1 Ash 2/6", q, "done; disperse; Eve; Eve", q_ready="Disperse", q_hand="Red")
    assert t.shows("1 Ash (damage 1)", "1 Dot; 2 Eve (damage 2)")


def test_r50_serenity_does_not_stop_sleep() -> None:
    p = "1 Ash 1/5 [Sleep]; 2 Bea 1/2 [Serenity]"
    t = table(p, "1 Dot 1/5", "Sleep, Serenity", attack="may").play("use Bea: Serenity; use Ash: Sleep; Dot")
    assert t.position["rows"][1] == ["1 Dot (asleep)"]


def test_r54_only_new_damage_is_reflected() -> None:
    t = fight("1 Ash 1/5", "1 Dot 1/5 [Reflect] (damage 3)", q_hand="Red")
    assert t.shows("1 Ash (damage 2)", "1 Dot (damage 4)")


def test_r61_a_resource_cannot_be_the_extra_card() -> None:
    t = table("", "", "2 Red, 3 Green", hand="Ash 1/2 [Extra Card]; Bea 1/2; Red", q_hand="Red").play("bring Ash")
    assert t.choices == "Bea; none"


def test_r62_heal_does_not_raise_health_above_what_the_card_says() -> None:
    t = table("1 Ash 1/2 [Heal 2] (damage 1)", "1 Dot 3/5", "Heal 2", q_hand="Red").play("use Ash: Heal 2; Ash")
    assert t.end().shows("", "1 Dot (damage 1)", discard="Ash")  # 3 damage are more than 2 health


def test_r63_future_vision_looks_at_the_deck_from_which_both_draw() -> None:
    t = table(
        "1 Ash 1/5 [Future Vision]", "1 Dot 1/5", "Future Vision", q_hand="Green", draw_pile=["Red", "Blue", "Red"]
    )
    t.play("use Ash: Future Vision")
    assert (t.asked, t.hand(1), t.top(1)) == ("Q resources", "Green Red", "Blue Red")


def test_r64_lane_1_faces_lane_1() -> None:
    t = fight("1 Ash 1/5; 2 Bea 2/5", "1 Dot 1/5; 2 Eve 3/5")
    assert t.shows("1 Ash (damage 1); 2 Bea (damage 3)", "1 Dot (damage 1); 2 Eve (damage 2)")


def test_r65_after_combat_only_the_turns_player_heals() -> None:
    t = table("1 Ash 2/5 [Heal 1, Fireball]", "1 Dot 2/5 [Heal 1]", "Heal 1, Fireball", "Heal 1", q_hand="Red")
    t.play("done")
    assert (t.asked, t.choices) == ("P mend", "use Ash: Heal 1; done")
    t.play("use Ash: Heal 1; Ash")
    assert t.asked == "Q resources"
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 2)")


def test_r66_a_card_in_hand_lends_no_abilities() -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", "2 Red, 3 Blue", hand="Bea 1/2 {Red} [Fireball, Serenity]", q_hand="Red")
    assert t.choices == "play Bea; done"
    assert t.refuses("use Bea: Serenity")
    assert t.play("done").shows("1 Ash (damage 1)", "1 Dot (damage 1)")


def test_r67_a_hand_is_hidden_from_the_other_seat() -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", "1 Red", hand="Bea 1/2", q_hand="Red")
    hers, his = (str(t.match.view(seat).scene) for seat in (1, 2))
    assert "Bea" in hers
    assert "Bea" not in his
