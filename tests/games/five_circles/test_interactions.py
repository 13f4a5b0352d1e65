"""Abilities that meet: the rulings' table of interactions, and what else follows from the rules."""

from games.five_circles.table import fight, table

# Armour and piercing


def test_surplus_piercing_is_lost() -> None:
    t = fight("1 Ash 2/3 [Armor Piercing 2]", "1 Dot 1/2 [Armor 1]")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 2)")


def test_both_sizes_of_piercing_add_up() -> None:
    t = fight("1 Ash 2/1 [Armor Piercing 1, Armor Piercing 2]", "1 Dot 1/2 [Armor 2]")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 2)")


def test_piercing_works_on_defence() -> None:
    t = fight("1 Ash 1/2 [Armor 2]", "1 Dot 2/2 [Armor Piercing 1]")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1)")


def test_armour_does_not_stop_reflected_points() -> None:
    assert fight("1 Ash 4/2 [Armor 2]", "1 Dot 1/5 [Reflect]").shows("1 Ash (damage 2)", "1 Dot (damage 4)")


def test_armour_before_reflection() -> None:
    assert fight("1 Ash 3/4", "1 Dot 1/3 [Armor 1, Reflect]").shows("1 Ash (damage 2)", "1 Dot (damage 2)")


def test_a_strike_stopped_by_armour_reflects_nothing() -> None:
    assert fight("1 Ash 1/2", "1 Dot 1/3 [Armor 1, Reflect]").shows("1 Ash (damage 1)", "1 Dot")


def test_armour_before_disperse() -> None:
    t = table("1 Ash 4/5", "1 Dot 1/2 [Armor 1, Disperse]; 2 Eve 1/2 [Armor 2]", q_ready="Disperse")
    t.play("done; Q answer> disperse; Eve; Eve; keep")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1); 2 Eve (damage 2)")


# Fast


def test_fast_and_target_the_card_in_front_still_strikes() -> None:
    t = fight("1 Ash 3/2 [Fast, Target]", "1 Dot 2/5; 2 Eve 5/2", "use Ash: Target; Eve", "Target")
    assert t.shows("1 Ash (damage 2)", "1 Dot", discard="Eve")


def test_fast_and_target_on_the_card_in_front_itself() -> None:
    t = fight("1 Ash 3/2 [Fast, Target]", "1 Dot 7/2", "use Ash: Target; Dot", "Target")
    assert t.shows("1 Ash", "", discard="Dot")


def test_a_fast_card_in_front_of_a_target_user() -> None:
    t = fight("1 Ash 3/2 [Target]", "1 Dot 3/2 [Fast]; 2 Eve 1/2", "use Ash: Target; Eve", "Target")
    assert t.shows("", "1 Dot; 2 Eve", discard="Ash")


def test_two_fast_cards_reflection_included() -> None:
    t = fight("1 Ash 4/3 [Fast]", "1 Dot 2/2 [Fast, Reflect]")
    assert t.shows("", "", discard="Ash Dot")


def test_fast_and_avoid_a_survivor_strikes_back() -> None:
    t = table("1 Ash 6/2 [Fast]", "1 Dot 3/1 [Avoid Damage]", q_ready="Avoid Damage").play("done; avoid")
    assert t.shows("", "1 Dot", discard="Ash")


def test_fast_and_disperse() -> None:
    t = table("1 Ash 3/2 [Fast]", "1 Dot 3/1 [Disperse]; 2 Eve 1/5", q_ready="Disperse").play(
        "done; disperse; Eve; Eve; keep"
    )
    assert t.shows("", "1 Dot (damage 1); 2 Eve (damage 2)", discard="Ash")


def test_fast_breaks_a_bonus_before_the_second_half() -> None:
    """Eve strikes second and without Dot's bonus, because Dot is already destroyed."""
    t = (
        table("1 Ash 3/3 [Fast, Target]", "1 Eve 2/5; 2 Dot 1/2 [Attack Boost 1]", "Target")
        .play("use Ash: Target; Dot")
        .end()
    )
    assert t.shows("1 Ash (damage 2)", "1 Eve", discard="Dot")


def test_a_fast_defender_and_its_reflection() -> None:
    t = fight("1 Ash 4/3", "1 Dot 1/5 [Fast, Reflect]")
    assert t.shows("1 Ash (damage 3)", "1 Dot (damage 4)")


def test_a_fast_defender_reflects_even_if_destroyed() -> None:
    t = fight("1 Ash 5/3", "1 Dot 1/2 [Fast, Reflect]")
    assert t.shows("", "", discard="Ash Dot")


# Reflect


def test_avoided_damage_is_not_reflected() -> None:
    t = table("1 Ash 6/3", "1 Dot 1/1 [Avoid Damage, Reflect]", q_ready="Avoid Damage").play("done; avoid")
    assert t.shows("1 Ash (damage 1)", "1 Dot")


def test_the_attacker_avoids_strike_and_reflection() -> None:
    t = table("1 Ash 4/2 [Avoid Damage]", "1 Dot 2/4 [Reflect]", "Avoid Damage").play("done; P answer> avoid")
    assert t.shows("1 Ash", "1 Dot (damage 4)")


def test_the_defender_responds_before_the_attacker() -> None:
    t = table("1 Ash 4/2 [Avoid Damage]", "1 Dot 2/1 [Avoid Damage]", "Avoid Damage", "Avoid Damage").play("done")
    assert t.asked == "Q answer"
    t.play("take")
    assert t.asked == "P answer"
    t.play("avoid")
    assert t.shows("1 Ash", "", discard="Dot")


def test_the_chosen_card_reflects() -> None:
    t = fight("1 Ash 3/4 [Target]", "1 Dot 1/5; 2 Eve 1/5 [Reflect]", "use Ash: Target; Eve", "Target")
    assert t.shows("1 Ash (damage 3)", "1 Dot; 2 Eve (damage 3)")


def test_fireball_is_not_reflected() -> None:
    t = fight("1 Ash 1/2 [Fireball]", "1 Dot 1/3; 2 Eve 1/3 [Reflect]", "use Ash: Fireball; Eve", "Fireball")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1); 2 Eve (damage 1)")


def test_long_range_meets_no_reflection() -> None:
    t = fight("1 Ash 3/1 [Long Range]", "1 Dot 5/1 [Reflect]", "use Ash: Long Range", "Long Range")
    assert t.shows("1 Ash", "1 Dot", (9, 6))


def test_a_sleeper_reflects_damage_from_target() -> None:
    p = "1 Ash 3/3 [Target]; 2 Bea 1/1 [Sleep]"
    t = fight(p, "1 Dot 1/5; 2 Eve 1/5 [Reflect]", "use Bea: Sleep; Eve; use Ash: Target; Eve", "Target, Sleep")
    assert t.shows("1 Ash (damage 3); 2 Bea", "1 Dot; 2 Eve (damage 3)", (9, 8))


# Disperse and Avoid


def test_no_receiver_is_destroyed_before_the_last_pick() -> None:
    t = table("1 Ash 6/3", "1 Dot 1/2 [Disperse]; 2 Eve 1/1", q_ready="Disperse").play("done; disperse; Eve; Eve; Eve")
    assert "Eve" in t.choices
    assert t.play("keep").shows("1 Ash (damage 1)", "", discard="Dot Eve")


def test_dispersed_damage_is_not_reflected_or_responded_to() -> None:
    t = table("1 Ash 4/5", "1 Dot 1/5 [Disperse]; 2 Eve 1/5 [Disperse, Reflect]", q_ready="Disperse, Disperse")
    t.play("done; disperse; Eve; Eve; Eve; keep")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1); 2 Eve (damage 3)")


def test_one_response_per_packet() -> None:
    t = table("1 Ash 4/5", "1 Dot 1/5 [Avoid Damage, Disperse]; 2 Eve 1/5", q_ready="Avoid Damage, Disperse").play(
        "done"
    )
    assert t.choices == "disperse; avoid; take"
    t.play("disperse; keep")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 4); 2 Eve")


def test_disperse_needs_another_character() -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5 [Disperse]", q_ready="Disperse")
    assert t.refuses("disperse")
    assert t.play("done").shows("1 Ash (damage 1)", "1 Dot (damage 1)")


def test_the_attacker_may_disperse_too() -> None:
    t = table("1 Ash 1/1 [Disperse]; 2 Bea 1/5", "1 Dot 3/5", "Disperse").play(
        "done; P answer> disperse; Bea; Bea; Bea"
    )
    assert t.shows("1 Ash; 2 Bea (damage 3)", "1 Dot (damage 1)", (9, 8))


# Serenity


def test_serenity_stops_fireball_long_range_and_open_lanes() -> None:
    p = "1 Ash 2/2 [Long Range]; 2 Bea 2/2 [Fireball]; 3 Cid 3/1"
    t = table(p, "1 Dot 1/2 [Serenity]; 2 Eve 2/2", "Long Range, Fireball", "Serenity", phase="brace").play(
        "use Dot: Serenity"
    )
    assert t.shows("1 Ash; 2 Bea; 3 Cid", "1 Eve", discard="Dot")
    t = table("1 Ash 1/2 [Serenity]; 2 Bea 1/2 [Fireball]", "1 Dot 1/1", "Serenity, Fireball").play(
        "use Ash: Serenity; use Bea: Fireball; Dot"
    )
    assert t.shows("1 Bea", "1 Dot", discard="Ash")


def test_serenity_stops_only_damage() -> None:
    p = "1 Ash 1/2 [Serenity]; 2 Bea 1/2 [Self Destruct]; 3 Cid 1/2 [Sleep, Reorder]"
    t = table(p, "1 Dot 1/2; 2 Eve 1/2; 3 Flo 1/2", "Serenity, Self Destruct, Sleep, Reorder")
    t.play("use Ash: Serenity; use Cid: Sleep; Dot; use Bea: Self Destruct").end()
    assert t.shows("1 Cid", "1 Dot; 2 Flo", discard="Ash Bea Eve")


def test_earlier_damage_stays_and_serenity_takes_its_bonus_away() -> None:
    t = table(
        "1 Ash 1/1",
        "1 Dot 1/1 (damage 1); 2 Eve 1/1 [Serenity, Defender]; 3 Flo 1/1 (damage 2)",
        q_ready="Serenity",
        phase="brace",
    )
    t.play("use Eve: Serenity")
    assert t.shows("1 Ash", "1 Dot (damage 1)", discard="Eve Flo")


def test_serenity_and_heal() -> None:
    q = "1 Dot 1/2 [Serenity]; 2 Eve 1/2 [Heal 1] (damage 1)"
    t = table("1 Ash 1/1", q, q_ready="Serenity, Heal 1", phase="brace").play("use Dot: Serenity; use Eve: Heal 1; Eve")
    assert t.shows("1 Ash", "1 Eve", discard="Dot")


# Sleep


def test_a_sleeping_target_user_does_not_attack() -> None:
    t = table("1 Ash 3/3 [Target]", "1 Dot 1/2 [Sleep]; 2 Eve 1/2", "Target", "Sleep")
    t.play("use Ash: Target; Eve; use Dot: Sleep; Ash")
    assert t.shows("1 Ash", "1 Dot; 2 Eve")


def test_a_sleeper_is_hit_by_fireball_and_may_disperse_and_be_healed() -> None:
    p = "1 Ash 1/2 [Sleep, Fireball]"
    t = table(p, "1 Dot 1/1 [Disperse]; 2 Eve 1/2 [Heal 1]", "Sleep, Fireball", "Disperse, Heal 1")
    t.play("use Ash: Sleep; Dot; use Ash: Fireball; Dot; Q answer> disperse; Eve; Q brace> use Eve: Heal 1; Eve")
    assert t.shows("1 Ash", "1 Dot; 2 Eve", (9, 8))


def test_self_destruct_cannot_hit_a_sleeper() -> None:
    t = table("1 Ash 1/2 [Self Destruct, Sleep]", "1 Dot 1/2", "Sleep, Self Destruct").play("use Ash: Sleep; Dot")
    assert t.asked == "Q resources"  # P had no choice left
    assert t.shows("1 Ash", "1 Dot", (9, 8))


def test_a_sleepers_bonuses_still_count() -> None:
    p = "1 Ash 2/2 [Sleep]; 2 Bea 3/3"
    q = "1 Dot 1/5 [Attack Boost 1]; 2 Eve 1/2 [Fast]; 3 Flo 1/1 [Defender]"
    t = fight(p, q, "use Ash: Sleep; Dot", "Sleep")
    assert t.shows("1 Ash; 2 Bea (damage 2)", "1 Dot; 2 Eve (damage 3); 3 Flo", (9, 7))


# Target, Reorder, Self Destruct


def test_several_may_choose_one_card() -> None:
    p = "1 Ash 2/3 [Target]; 2 Bea 2/3 [Target]"
    t = fight(p, "1 Dot 1/3; 2 Eve 1/3; 3 Flo 1/3", "use Ash: Target; Flo; use Bea: Target; Flo", "Target, Target")
    assert t.shows("1 Ash (damage 1); 2 Bea (damage 1)", "1 Dot; 2 Eve", discard="Flo")


def test_target_follows_the_card_through_reorder() -> None:
    t = table("1 Ash 3/3 [Target]", "1 Dot 1/3; 2 Eve 2/2 [Reorder]", "Target", "Reorder")
    t.play("use Ash: Target; Eve; Q brace> use Eve: Reorder; Eve; Dot")
    assert t.shows("1 Ash (damage 2)", "1 Dot", discard="Eve")


def test_self_destruct_takes_a_neighbours_defender() -> None:
    t = table("1 Ash 1/2 [Self Destruct]", "1 Dot 1/1 [Defender]; 2 Eve 1/2 (damage 3)", "Self Destruct").play(
        "use Ash: Self Destruct"
    )
    assert t.shows("", "", discard="Ash Dot Eve")


def test_reorder_moves_a_bonus_and_may_destroy() -> None:
    q = "1 Dot 1/1 (damage 2); 2 Eve 1/1 [Defender]; 3 Flo 1/1; 4 Gil 1/1 [Reorder]"
    t = table("1 Ash 1/5", q, q_ready="Reorder", phase="brace").play("use Gil: Reorder; Eve; Gil")
    assert t.shows("1 Ash", "1 Gil; 2 Flo; 3 Eve", (9, 8), "Dot")


def test_attack_boost_2_goes_to_the_neighbours_of_the_moment() -> None:
    p = "1 Ash 1/2 [Attack Boost 2, Reorder]; 2 Bea 1/2; 3 Cid 1/2"
    t = table(p, "", "Attack Boost 2, Reorder").play("use Ash: Attack Boost 2; use Ash: Reorder; Ash; Cid").end()
    assert t.shows("1 Cid; 2 Bea; 3 Ash", "", (9, 4))
    assert table(p, "", "Attack Boost 2").play("use Ash: Attack Boost 2").end().life == (9, 4)


def test_both_boosts_and_an_open_lane() -> None:
    p = "1 Ash 1/1 [Attack Boost 1, Attack Boost 2]; 2 Bea 1/1"
    assert fight(p, "", "use Ash: Attack Boost 2", "Attack Boost 2").shows("1 Ash; 2 Bea", "", (9, 4))


def test_a_boost_in_brace_counts_for_defenders() -> None:
    t = table("1 Ash 1/3", "1 Dot 1/3; 2 Eve 1/1 [Attack Boost 2]", q_ready="Attack Boost 2").play(
        "done; use Eve: Attack Boost 2"
    )
    assert t.shows("1 Ash (damage 3)", "1 Dot (damage 1); 2 Eve")


def test_target_and_long_range_exclude_each_other() -> None:
    p = "1 Ash 1/2 [Long Range, Target]"
    t = table(p, "1 Dot 1/2", "Long Range, Target").play("use Ash: Target; Dot")
    assert t.asked == "Q resources"  # with Long Range still usable, P would have had a choice
    t = table(p, "1 Dot 1/2", "Long Range, Target").play("use Ash: Long Range")
    assert t.shows("1 Ash", "1 Dot", (9, 8))


def test_a_restored_character_is_a_new_arrival() -> None:
    p = "1 Ash 1/2 {Green} [Restore]; 2 Bea 1/1 [Self Destruct, Fireball]"
    t = table(p, "1 Dot 1/5; 2 Eve 1/5", "Restore, Self Destruct, Fireball, 6 Red, 1 Green")
    t.play("use Bea: Fireball; Dot; use Bea: Self Destruct; use Ash: Restore; Bea; bring Bea")
    assert t.p == "1 Ash; 2 Bea"
    assert "use Bea: Fireball" in t.choices


def test_heal_counts_a_defenders_health() -> None:
    q = "1 Dot 1/1 (damage 2); 2 Eve 1/1 [Defender, Heal 2]"
    t = table("1 Ash 1/5", q, q_ready="Heal 2").play("done; use Eve: Heal 2; Dot")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1); 2 Eve")


def test_a_gap_cuts_neighbours_until_regroup() -> None:
    p = "1 Ash 1/1 [Attack Boost 1]; 2 Bea 1/2; 3 Cid 1/1"
    t = fight(p, "1 Dot 4/5; 2 Eve 1/1")
    assert t.shows("1 Bea (damage 1); 2 Cid", "1 Dot (damage 1); 2 Eve (damage 1)", (9, 8), "Ash")


def test_change_the_future_then_future_vision_of_the_other_seat() -> None:
    p, q = "1 Ash 1/2 [Change the Future, Sleep]", "1 Dot 1/5 [Future Vision]"
    t = table(
        p, q, "Change the Future, Sleep", q_hand="Red", draw_pile=["Red", "Blue", "Green", "Green"], known_top=[0, 2]
    )
    t.play("use Ash: Change the Future; Green; Red")
    assert (t.top(1), t.top(2)) == ("Green Red Blue ?", "? ? ? ?")
