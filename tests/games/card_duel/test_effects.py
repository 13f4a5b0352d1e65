"""Every effect, target and time: position, what is played, result."""

from typing import Any

import pytest

from games.card_duel.table import character, effect, event, played, rows, table

ENEMIES: dict[str, Any] = {"rows": ["", "1 Dog; 3 Cat; 4 Elk"]}
OWN: dict[str, Any] = {"rows": ["1 Dog (damage 2); 3 Cat", "1 Bee"]}


@pytest.mark.parametrize(
    ("does", "to", "number", "position", "after"),
    [
        ("damage", "weakest enemy", 1, ENEMIES, ["1 Dog", "3 Cat (damage 1)", "4 Elk"]),
        ("damage", "strongest enemy", 3, ENEMIES, ["1 Dog", "3 Cat", "4 Elk (damage 3)"]),
        ("damage", "all enemies", 2, ENEMIES, ["1 Dog (damage 2)", "4 Elk (damage 2)"]),
        ("heal", "strongest enemy", 2, {"rows": ["", "Elk (damage 3)"]}, ["1 Elk (damage 1)"]),
        ("attack", "weakest enemy", 2, ENEMIES, ["1 Dog", "3 Cat (attack +2)", "4 Elk"]),
        ("weaken", "strongest enemy", 9, ENEMIES, ["1 Dog", "3 Cat", "4 Elk (attack -5)"]),
        ("health", "all enemies", 1, {"rows": ["", "Cat"]}, ["1 Cat (health +1)"]),
        ("shield", "all enemies", 2, {"rows": ["", "Cat"]}, ["1 Cat (shields 2)"]),
        ("damage", "all enemies", 5, {"rows": ["", "Cat (shields 1); Bee"]}, ["1 Cat"]),
        ("destroy", "strongest enemy", 2, ENEMIES, ["3 Cat"]),
        ("destroy", "all enemies", 1, ENEMIES, []),
    ],
)
def test_enemies(does: str, to: str, number: int, position: dict[str, Any], after: list[str]) -> None:
    assert rows(played(effect(does, to, number), **position))[1] == after


@pytest.mark.parametrize(
    ("does", "to", "number", "after"),
    [
        ("heal", "your weakest", 9, ["1 Dog", "3 Cat"]),  # of equal ones the first
        ("heal", "all yours", 1, ["1 Dog (damage 1)", "3 Cat"]),
        ("attack", "your strongest", 1, ["1 Dog (damage 2, attack +1)", "3 Cat"]),
        ("health", "all yours", 2, ["1 Dog (damage 2, health +2)", "3 Cat (health +2)"]),
        ("shield", "your weakest", 1, ["1 Dog (damage 2, shields 1)", "3 Cat"]),
        ("damage", "all yours", 2, []),
        ("destroy", "your strongest", 1, ["3 Cat"]),
    ],
)
def test_own_characters(does: str, to: str, number: int, after: list[str]) -> None:
    assert rows(played(effect(does, to, number), **OWN))[0] == after


def test_damage_and_healing_of_players() -> None:
    hurt = played(effect("damage", "opponent", 4), effect("damage", "you", 1)).position()
    assert hurt["life"] == [19, 16]
    healed = played(effect("heal", "you", 5), effect("heal", "opponent", 2), life=[18, 10]).position()
    assert healed["life"] == [20, 12]


def test_draw_and_energy() -> None:
    match = played(
        effect("draw", "you", 2), effect("energy", "you", 3), energy=[1, 0], draw_pile=[["Cat", "Dog", "..."], ["..."]]
    )
    assert match.position()["hands"][0] == ["Cat", "Dog"]
    assert match.position()["energy"] == [4, 0]
    assert len(played(effect("draw", "opponent", 1)).position()["hands"][1]) == 1


def test_discard_is_random_and_face_up() -> None:
    found = set()
    for seed in range(30):
        match = played(effect("discard", "opponent", 1), hands=[["Word"], ["Cat", "Dog"]], seed=seed)
        assert len(match.position()["hands"][1]) == 1
        found.add(match.position()["discard_pile"][1][0])
    assert found == {"Cat", "Dog"}
    assert played(effect("discard", "you", 5)).position()["hands"] == [[], []]


def test_points_win() -> None:
    match = played(effect("points", "you", 3), points=[6, 9])
    assert (match.position()["points"], match.over) == ([9, 9], False)
    assert played(effect("points", "you", 1), points=[9, 0]).payoffs == {1: 1.0, 2: -1.0}
    assert played(effect("points", "opponent", 1), points=[0, 9]).payoffs == {1: -1.0, 2: 1.0}


def test_return_to_the_owners_hand_where_everyone_knows_it() -> None:
    match = played(effect("return", "strongest enemy"), rows=["", "Elk (damage 2, from 1); Cat"])
    assert rows(match)[1] == ["2 Cat"]
    assert (match.position()["hands"][0], match.position()["known"][0]) == (["Elk"], ["Elk"])
    both = played(effect("return", "strongest enemy", 2), rows=["", "Elk; Cat"])
    assert both.position()["hands"][1] == ["Cat", "Elk"]
    assert both.position()["known"][1] == ["Cat", "Elk"]


def test_control_keeps_changes_and_waits_a_turn() -> None:
    match = played(effect("control", "strongest enemy"), rows=["Cat", "Elk (damage 2, attack +1); Bee"])
    assert rows(match) == [["1 Cat", "2 Elk (damage 2, attack +1, from 2, arrived)"], ["2 Bee"]]
    full = played(effect("control", "weakest enemy"), options={"slots": 1}, rows=["Cat", "Elk"])
    assert rows(full) == [["1 Cat"], ["1 Elk"]]


def test_a_random_enemy() -> None:
    hit = {
        next(
            row for row in rows(played(effect("damage", "random enemy", 1), seed=seed, **ENEMIES))[1] if "damage" in row
        )
        for seed in range(40)
    }
    assert hit == {"1 Dog (damage 1)", "3 Cat (damage 1)", "4 Elk (damage 1)"}


def test_a_chosen_enemy() -> None:
    match = table(event(effect("damage", "chosen enemy", 3)), hands=[["Word"], []], **ENEMIES)
    match.play("Word")
    assert match.phase == "aim"
    assert [choice.words for choice in match.choices()] == ["enemy 1", "enemy 3", "enemy 4"]
    match.play("enemy 4")
    assert rows(match)[1] == ["1 Dog", "3 Cat", "4 Elk (damage 3)"]
    nothing = played(effect("damage", "chosen enemy", 3))
    assert (nothing.phase, nothing.position()["discard_pile"][0]) == ("main", ["Word"])


def test_a_character_chooses_after_it_has_its_slot() -> None:
    scout = character("Scout", 1, 1, effect("damage", "chosen enemy", 1))
    match = table(scout, options={"combat": "lanes"}, hands=[["Scout"], []], rows=["", "Cat"])
    match.play("Scout; slot 4")
    assert (match.phase, match.position()["spot"]) == ("aim", 4)
    match.play("enemy 1")
    assert rows(match) == [["4 Scout (arrived)"], ["1 Cat (damage 1)"]]


def test_this_card_and_the_enemy_opposite() -> None:
    knight = character("Knight", 2, 2, effect("health", "this card", 3), effect("damage", "opposite enemy", 1))
    match = table(knight, hands=[["Knight"], []], rows=["Cat", "1 Dog; 2 Elk"])
    match.play("Knight")
    assert rows(match) == [["1 Cat", "2 Knight (health +3, arrived)"], ["1 Dog", "2 Elk (damage 1)"]]


def test_attacking_happens_before_the_strike() -> None:
    archer = character("Archer", 2, 2, effect("damage", "all enemies", 2, "attacks"))
    match = table(archer, rows=["Archer", "Cat; Dog"])
    match.play("slot 1; enemy 2")
    assert rows(match) == [[], []]  # Dog struck Archer, and had taken 2 and 2
    gone = table(archer, rows=["Archer", "Cat; Dog"])
    gone.play("slot 1; enemy 1")  # the target is defeated by the effect, so nothing strikes
    assert rows(gone) == [["1 Archer (attacked)"], ["2 Dog (damage 2)"]]


def test_hit_happens_only_if_it_survives() -> None:
    hedgehog = character("Hedgehog", 0, 3, effect("damage", "opponent", 2, "hit"))
    match = table(hedgehog, rows=["Cat; Dog", "Hedgehog"])
    match.play("slot 1; enemy 1")
    assert match.position()["life"] == [18, 20]
    match.play("slot 2; enemy 1")
    assert (match.position()["life"], rows(match)[1]) == ([18, 20], [])


def test_defeated_happens_after_it_has_left() -> None:
    bomb = character("Bomb", 1, 1, effect("damage", "all enemies", 1, "defeated"))
    match = table(bomb, rows=["Cat; Bee", "Bomb"])
    match.play("slot 1; enemy 1")
    assert rows(match) == [["2 Bee (damage 1)"], []]
    assert match.position()["discard_pile"] == [["Cat"], ["Bomb"]]


def test_the_start_and_the_end_of_its_players_turns() -> None:
    clock = character(
        "Clock", 0, 5, effect("points", "you", 1, "turn starts"), effect("damage", "this card", 1, "turn ends")
    )
    match = table(clock, rows=["Clock", ""])
    match.play("done")
    assert (rows(match)[0], match.position()["points"]) == (["1 Clock (damage 1)"], [0, 0])
    match.play("done")
    assert (rows(match)[0], match.position()["points"]) == (["1 Clock (damage 1)"], [1, 0])


def test_chains_end() -> None:
    """Two that hurt each other when hit would never stop; after 24 effects they do."""
    echo = character("Echo", 1, 30, effect("damage", "all enemies", 1, "hit"), effect("heal", "this card", 9, "hit"))
    match = table(echo, event(effect("damage", "all enemies", 1)), rows=["Echo", "Echo"], hands=[["Word"], []])
    match.play("Word")
    assert not match.over
    assert match.phase == "main"
    assert not match.state.waiting.any()


def test_a_win_by_one_point_is_told_in_the_singular() -> None:
    match = table(event(effect("points", "you", 1)), hands=[["Word"], []], options={"points": 1, "win": "points"})
    match.play("Word")
    assert [match.view(seat).scene.prompt.sentence for seat in range(3)] == [
        "1 point: Seat 1 wins.", "1 point: you win.", "1 point: Seat 1 wins.",
    ]  # fmt: skip
    assert "1 point," in match.view(2).scene.seats[0].label


def test_the_player_reads_that_only_one_slot_is_free() -> None:
    lanes = {"combat": "lanes"}
    match = table(character("Ant", 1, 1), rows=["Bee; Bee; Bee; Bee", "Dog"], hands=[["Ant"], []], options=lanes)
    match.choose("play Ant")
    assert match.forced_action() is not None
    match.choose(match.forced_action() or 0)
    assert match.sentences(1)[0] == "Only one slot is free."
    assert "Only one slot is free." not in match.sentences(2)


def test_a_card_that_only_draws_is_told_as_the_cause() -> None:
    match = played(effect("draw", "you", 1), draw_pile=[["Cat", "..."], ["..."]])
    assert "Word (played): you draw Cat." in match.sentences(1)
    assert "Word (played): Seat 1 draws 1 card." in match.sentences(2)
