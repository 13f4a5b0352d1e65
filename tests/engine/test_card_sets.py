"""Sets of cards as bits, compared with Python sets, interpreted and in machine code."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparring.engine import cards
from sparring.engine.compilation.dependencies import compiled_form

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
