"""Rules for piles and sets of cards, compared with Python lists and sets, interpreted and in machine code."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparring.engine import cards, chance
from sparring.engine.compilation.dependencies import compiled_form

ROOM = 12
FACES = st.lists(st.integers(0, 100), max_size=ROOM - 2, unique=True)


def pile(of: list[int]) -> Any:
    made: Any = np.zeros(ROOM + 1, np.int16)
    for card in of:
        cards.put(made, card)
    return made


def held(made: np.ndarray) -> list[int]:
    """Return the cards from bottom to top; assert that all entries beyond them are 0."""
    assert not made[made[0] + 1 :].any()
    return [int(card) for card in made[1 : made[0] + 1]]


@given(FACES)
def test_the_last_card_put_on_a_pile_is_drawn_first(faces: list[int]) -> None:
    made = pile(faces)
    assert held(made) == faces
    assert [cards.take_top(made) for _ in faces] == faces[::-1]
    assert held(made) == []


@given(FACES)
def test_a_hand_stays_sorted(faces: list[int]) -> None:
    hand = pile([])
    for number, card in enumerate(faces, 1):
        cards.insert(hand, card)
        assert held(hand) == sorted(faces[:number])


@given(FACES.filter(bool), st.data())
def test_removing_a_card_keeps_the_order(faces: list[int], data: st.DataObject) -> None:
    card = data.draw(st.sampled_from(faces))
    made = pile(faces)
    assert cards.holds(made, card)
    cards.remove(made, card)
    assert not cards.holds(made, card)
    assert held(made) == [other for other in faces if other != card]


@given(FACES.filter(bool), st.data())
def test_taking_a_card_at_a_place_keeps_the_order(faces: list[int], data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(faces)))
    made = pile(faces)
    assert cards.take_at(made, place) == faces.pop(place - 1)
    assert held(made) == faces


def test_of_equal_cards_one_is_removed() -> None:
    made = pile([4, 7, 7, 9])
    cards.remove(made, 7)
    assert held(made) == [4, 7, 9]


@given(FACES, st.integers(0, 2), st.integers(0, 100))
def test_cards_can_be_put_several_at_a_time(faces: list[int], number: int, card: int) -> None:
    made = pile(faces)
    cards.put_copies(made, card, number)
    assert held(made) == faces + [card] * number
    made = pile(faces)
    cards.put_series(made, card, card + number)
    assert held(made) == faces + list(range(card, card + number))


@given(FACES.map(lambda faces: faces[:3]), st.lists(st.integers(0, 2), min_size=9, max_size=9), st.integers(0, 9))
def test_cards_that_are_not_counted_go_on_top(faces: list[int], counts: list[int], first: int) -> None:
    made = pile(faces)
    cards.put_uncounted(made, np.array(counts), first, 9)
    assert held(made) == faces + [card for card in range(first, 9) if counts[card] == 0]


def test_entries_beyond_a_piles_end_are_not_in_it() -> None:
    made = pile([5])
    assert not cards.holds(made, 0)
    made[2] = 7
    assert not cards.holds(made, 7)


@given(FACES)
def test_emptying_a_pile_clears_its_entries(faces: list[int]) -> None:
    made = pile(faces)
    cards.empty(made)
    assert not made.any()


@given(st.lists(st.integers(0, 100), max_size=ROOM, unique=True), st.integers(0, ROOM))
def test_a_pile_is_moved_onto_another_bottom_first(faces: list[int], cut: int) -> None:
    source, target = pile(faces[cut:]), pile(faces[:cut])
    cards.pour(source, target)
    assert held(target) == faces
    assert held(source) == []


@given(FACES, st.integers(0, 1000))
def test_a_shuffle_keeps_the_cards(faces: list[int], seed: int) -> None:
    g, made = np.zeros(4, np.int64), pile(faces)
    chance.seed(g, seed, chance.DEAL)
    cards.shuffle(g, made)
    assert sorted(held(made)) == sorted(faces)


def test_drawing_takes_the_top_card_and_reshuffles_only_an_empty_deck() -> None:
    g = np.zeros(4, np.int64)
    chance.seed(g, 1, chance.DEAL)
    before = g.tolist()
    deck, discard = pile([1, 2]), pile([7, 8, 9])
    assert [cards.draw(g, deck, discard) for _ in range(2)] == [2, 1]
    assert (held(deck), held(discard), g.tolist()) == ([], [7, 8, 9], before)
    drawn = cards.draw(g, deck, discard)
    assert sorted([drawn, *held(deck)]) == [7, 8, 9]
    assert held(discard) == []
    assert g.tolist() != before


def test_dealt_cards_come_from_the_top_and_are_sorted_into_the_hand() -> None:
    deck, hand = pile([1, 8, 5, 6]), pile([7])
    cards.deal_cards(deck, hand, 3)
    assert (held(deck), held(hand)) == ([1], [5, 6, 7, 8])


def test_drawing_without_cards_draws_nothing() -> None:
    g, deck, discard = np.zeros(4, np.int64), pile([]), pile([])
    assert cards.draw(g, deck, discard) == cards.UNKNOWN
    assert not deck.any()


@given(FACES)
def test_hiding_keeps_only_the_number_of_cards(faces: list[int]) -> None:
    made = pile(faces)
    cards.hide(made)
    assert held(made) == [cards.UNKNOWN] * len(faces)


def test_face_up_cards_are_counted() -> None:
    counts = np.zeros(ROOM, np.int16)
    cards.count_cards(counts, pile([3, 5, cards.UNKNOWN, 3]))
    cards.count_cards(counts, pile([5]))
    assert {card: int(count) for card, count in enumerate(counts) if count} == {3: 2, 5: 2}


def test_a_row_of_a_field_is_a_pile() -> None:
    hands = np.zeros((3, 4), np.int16)
    cards.put(hands[1], 5)
    assert hands.tolist() == [[0, 0, 0, 0], [1, 5, 0, 0], [0, 0, 0, 0]]


CARDS = st.sets(st.integers(0, 62))


@given(CARDS, CARDS)
def test_operators_on_bits_are_those_of_sets(first: set[int], second: set[int]) -> None:
    a, b = cards.set_of(first), cards.set_of(second)
    assert set(cards.members(a | b)) == first | second
    assert set(cards.members(a & b)) == first & second
    assert set(cards.members(a & ~b)) == first - second


@given(CARDS, st.integers(0, 62))
def test_a_set_holds_its_cards_and_no_others(held: set[int], card: int) -> None:
    made: Any = np.int64(cards.set_of(held))
    number: Any = np.int16(card)
    assert cards.has(made, card) == (card in held)
    assert set(cards.members(made | cards.only(number))) == held | {card}


@given(CARDS.filter(bool))
def test_the_lowest_card_comes_first(held: set[int]) -> None:
    made = cards.set_of(held)
    assert cards.lowest(made) == min(held)
    assert list(cards.members(cards.without_lowest(made))) == sorted(held - {min(held)})


@given(CARDS)
def test_actions_of_a_set_are_listed_in_ascending_order_after_others(held: set[int]) -> None:
    out = np.full(70, 7, np.int16)
    made: Any = np.int64(cards.set_of(held))
    assert cards.offer_cards(out, 2, 100, made) == 2 + len(held)
    assert out[: 2 + len(held)].tolist() == [7, 7, *(100 + card for card in sorted(held))]


@given(CARDS)
def test_the_cards_of_a_set_go_on_top_of_a_pile(held: set[int]) -> None:
    pile: Any = np.zeros(70, np.int16)
    cards.put(pile, 40)
    cards.put_cards(pile, cards.set_of(held))
    assert cards.in_order(pile) == [40, *sorted(held)]


@pytest.mark.compiled
def test_machine_code_finds_the_same_lowest_card() -> None:
    code: Any = compiled_form(cards.lowest)
    lowest = numba.njit(code)
    rows = [1 << low | 1 << high for low in range(63) for high in range(low, 63)]
    assert [lowest(made) for made in rows] == [cards.lowest(made) for made in rows]
