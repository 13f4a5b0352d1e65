"""The rulings R1 to R17: position, what is played, result."""

import pytest

from games.card_duel.table import character, effect, event, played, rows, table
from sparring import ChoiceError, Match
from sparring.engine.cards import UNKNOWN
from wording import says


def test_r1_hits_take_life_or_score() -> None:
    match = table(rows=["Dog", ""])
    match.play("slot 1")
    assert match.position()["life"] == [20, 17]
    scoring = table(rows=["Dog", ""], options={"win": "points"})
    scoring.play("slot 1")
    assert (scoring.position()["life"], scoring.position()["points"]) == ([20, 20], [3, 0])
    assert played(effect("heal", "you", 9), life=[19, 20]).position()["life"] == [20, 20]


def test_r1_no_life_loses() -> None:
    match = table(rows=["Dog", ""], life=[1, 3])
    match.play("slot 1")
    assert (match.ending, match.payoffs) == ("life", {1: 1.0, 2: -1.0})


def test_r2_both_without_life_is_a_draw() -> None:
    match = played(effect("damage", "you", 2), effect("damage", "opponent", 2), life=[2, 1])
    assert (match.ending, match.payoffs) == ("life", {1: 0.0, 2: 0.0})
    scored = played(effect("points", "you", 2), effect("points", "opponent", 1), points=[9, 9])
    assert (scored.ending, scored.payoffs) == ("points", {1: 1.0, 2: -1.0})
    level = played(effect("points", "you", 1), effect("points", "opponent", 1), points=[9, 9])
    assert level.payoffs == {1: 0.0, 2: 0.0}
    dead = played(effect("points", "you", 1), effect("damage", "you", 1), points=[9, 0], life=[1, 5])
    assert dead.payoffs == {1: -1.0, 2: 1.0}


@pytest.mark.parametrize(
    ("life", "points", "win", "payoffs"),
    [
        ([5, 4], [0, 9], "life", {1: 1.0, 2: -1.0}),
        ([5, 5], [0, 1], "life", {1: -1.0, 2: 1.0}),
        ([5, 5], [2, 2], "life", {1: 0.0, 2: 0.0}),
        ([5, 9], [3, 2], "points", {1: 1.0, 2: -1.0}),
        ([5, 9], [3, 3], "points", {1: 0.0, 2: 0.0}),
    ],
)
def test_r3_after_the_last_round(life: list[int], points: list[int], win: str, payoffs: dict[int, float]) -> None:
    match = table(options={"rounds": 5, "win": win}, turn=10, player=2, life=life, points=points)
    match.play("done")
    assert (match.ending, match.payoffs) == ("rounds", payoffs)


def test_r4_hands_and_r10_the_first_player() -> None:
    match = Match.new("card-duel", seed=1, options={"hand": 3, "second_cards": 2, "draw": 1, "first": "seat1"})
    assert match.seat == 1
    assert [len(hand) for hand in match.position()["hands"]] == [4, 5]
    assert {Match.new("card-duel", seed=seed).seat for seed in range(20)} == {1, 2}


def test_r5_an_empty_deck_gives_nothing() -> None:
    match = table(draw_pile=[["..."], []], discard_pile=[[], ["..."]])
    match.play("done")
    assert (match.seat, match.position()["hands"][1], match.over) == (2, [], False)


def test_r6_the_hand_limit_discards_what_is_drawn() -> None:
    match = table(event(effect("draw", "you", 2)), options={"hand_limit": 3}, hands=[["Word", "Bee", "Bee"], []],
                  draw_pile=[["Cat", "Dog", "..."], ["..."]])  # fmt: skip
    match.play("Word")
    assert match.position()["hands"][0] == ["Bee", "Bee", "Cat"]
    assert match.position()["discard_pile"][0] == ["Word", "Dog"]
    full = table(event(effect("return", "strongest enemy")), options={"hand_limit": 3}, hands=[["Word"], ["Bee"] * 3],
                 rows=["", "Elk"])  # fmt: skip
    full.play("Word")
    assert (full.position()["hands"][1], full.position()["discard_pile"][1]) == (["Bee"] * 3, ["Elk"])


def test_r7_energy_grows_to_its_limit_and_is_lost() -> None:
    match = Match.new("card-duel", seed=1, options={"energy": 2, "first": "seat1", "second_energy": 1, "rounds": 9})
    seen = []
    for _ in range(6):
        seen.append(match.position()["energy"])
        match.play("done")
    assert seen == [[1, 0], [0, 2], [2, 0], [0, 2], [2, 0], [0, 2]]
    assert Match.new("card-duel", seed=1, options={"growth": "fixed", "energy": 5, "first": "seat1"}).position()[
        "energy"
    ] == [5, 0]
    costly = table(character("Ox", 1, 1, cost=3), hands=[["Ox"], []], energy=[2, 0])
    with pytest.raises(ChoiceError) as refused:
        costly.play("Ox")
    assert says(str(refused.value), "Ox", 3, "energy", 2)


def test_r7_a_card_costs_its_energy() -> None:
    match = table(character("Ox", 1, 1, cost=3), hands=[["Ox"], []], energy=[4, 0])
    match.play("Ox")
    assert match.position()["energy"] == [1, 0]


def test_r8_guards_must_be_attacked_first() -> None:
    guard = character("Wall", 0, 4, traits=["Guard"])
    match = table(guard, rows=["Dog", "Cat; Wall; Wall"])
    match.play("slot 1")
    assert [choice.words for choice in match.choices()] == ["enemy 2", "enemy 3"]
    with pytest.raises(ChoiceError) as refused:
        match.play("opponent")
    assert says(str(refused.value), "Guard", "first")
    lanes = table(guard, rows=["1 Dog; 2 Elk", "2 Wall"], options={"combat": "lanes"})
    lanes.play("slot 1; slot 2")
    assert (lanes.position()["life"], rows(lanes)[1]) == ([20, 17], [])


def test_r9_a_full_row_takes_no_character() -> None:
    match = table(
        event(effect("draw", "you")), options={"slots": 2}, rows=["Cat; Bee", ""], hands=[["Ace", "Word"], []]
    )
    assert "play Ace" not in [choice.words for choice in match.choices()]
    with pytest.raises(ChoiceError) as refused:
        match.play("Ace")
    assert says(str(refused.value), "slots", "taken")
    match.play("Word")


def test_r9_the_slot_is_chosen_in_lanes() -> None:
    match = table(options={"combat": "lanes", "slots": 3}, rows=["2 Cat", ""], hands=[["Ace"], []])
    match.play("Ace")
    assert (match.phase, [choice.words for choice in match.choices()]) == ("place", ["slot 1", "slot 3"])
    match.play("slot 3")
    assert rows(match)[0] == ["2 Cat", "3 Ace (arrived)"]


def test_new_characters_wait_unless_they_are_fast() -> None:
    match = table(character("Fox", 2, 1, traits=["Fast"]), hands=[["Fox", "Cat"], []])
    match.play("Cat; Fox")
    with pytest.raises(ChoiceError) as refused:
        match.play("slot 1")
    assert says(str(refused.value), "Cat", "next turn")
    match.play("slot 2")
    with pytest.raises(ChoiceError) as refused:
        match.play("slot 2")
    assert says(str(refused.value), "Fox", "already attacked")
    match.play("done; done; slot 1")
    assert match.position()["life"] == [20, 16]


def test_r11_twenty_moves_in_a_turn() -> None:
    """A card that returns itself could be played for ever."""
    yoyo = character("Yoyo", 1, 1, effect("return", "your strongest"))
    match = table(yoyo, hands=[["Yoyo"], []])
    for _ in range(20):
        match.play("Yoyo")
    assert [choice.words for choice in match.choices()] == ["done"]
    with pytest.raises(ChoiceError) as refused:
        match.play("Yoyo")
    assert says(str(refused.value), 20, "moves")


def test_r12_effects_wait_in_the_order_in_which_they_were_caused() -> None:
    """Both bombs fall to the event; the effect of the first one comes before that of the second."""
    medic = character("Medic", 1, 1, effect("damage", "you", 1, "defeated"))
    bomb = character("Bomb", 1, 1, effect("damage", "opponent", 5, "defeated"))
    match = table(medic, bomb, event(effect("damage", "all yours", 1)), rows=["Medic; Bomb", ""], hands=[["Word"], []],
                  life=[1, 5])  # fmt: skip
    match.play("Word")
    assert (match.ending, match.payoffs) == ("life", {1: -1.0, 2: 1.0})


def test_r14_shields_stop_hits_of_any_size() -> None:
    match = table(rows=["Elk", "Cat (shields 1)"])
    match.play("slot 1; enemy 1")
    assert rows(match) == [["1 Elk (damage 2, attacked)"], ["1 Cat"]]


def test_r15_both_can_be_defeated() -> None:
    match = table(rows=["Cat", "Cat"])
    match.play("slot 1; enemy 1")
    assert (rows(match), match.position()["discard_pile"]) == ([[], []], [["Cat"], ["Cat"]])


def test_r16_a_controlled_character_goes_back_to_its_owner() -> None:
    match = table(rows=["Cat (from 2)", "Dog"])
    match.play("slot 1; enemy 1")
    assert match.position()["discard_pile"] == [[], ["Cat"]]


def test_characters_without_attack_cannot_attack() -> None:
    match = table(character("Wall", 0, 4), rows=["Wall", ""])
    with pytest.raises(ChoiceError) as refused:
        match.play("slot 1")
    assert says(str(refused.value), "Wall", "no attack")


def test_the_decks_of_the_seats_can_differ() -> None:
    match = table(character("Mine", 1, 1, deck="first"), character("Yours", 1, 1, deck="second"))
    piles = match.position()["draw_pile"]
    assert ("Mine" in piles[0], "Yours" in piles[0]) == (True, False)
    assert ("Mine" in piles[1], "Yours" in piles[1]) == (False, True)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_decks_and_the_hands_of_others_are_hidden(seat: int) -> None:
    state = Match.new("card-duel", seed=1).view(seat).state
    for owner, (deck, hand) in enumerate(zip(state.deck, state.hand, strict=True), 1):
        assert set(deck[1 : deck[0] + 1].tolist()) == {UNKNOWN}
        assert (UNKNOWN in hand[1 : hand[0] + 1]) == (owner != seat)
