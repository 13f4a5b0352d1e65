"""Hexes: numbers, distances, directions, lines, reachable sets."""

import random
from itertools import pairwise

import numpy as np
import pytest

from sparring.engine import hexes

ALL = range(hexes.HEXES)


def at(q: int, r: int) -> int:
    return int(hexes.hex_at(q, r))


def empty_set() -> np.ndarray:
    return np.zeros(hexes.SET_SIZE, np.int32)


def set_of(*places: int) -> np.ndarray:
    rows = empty_set()
    for place in places:
        hexes.mark(rows, place)
    return rows


def listed(rows: np.ndarray, radius: int = hexes.LARGEST) -> list[int]:
    out = np.zeros(hexes.HEXES + 1, np.int16)
    return out[: hexes.numbers(rows, radius, out, 0, 0)].tolist()  # type: ignore[no-any-return]


def board(radius: int) -> list[int]:
    return [a for a in ALL if hexes.size(hexes.Q[a], hexes.R[a]) <= radius]


def test_every_hex_has_its_number() -> None:
    assert [at(int(hexes.Q[a]), int(hexes.R[a])) for a in ALL] == list(ALL)
    assert len({(int(hexes.Q[a]), int(hexes.R[a])) for a in ALL}) == hexes.HEXES == 331


def test_hexes_are_numbered_row_by_row() -> None:
    places = [(int(hexes.R[a]), int(hexes.Q[a])) for a in ALL]
    assert places == sorted(places)


@pytest.mark.parametrize(("radius", "many"), [(5, 91), (6, 127), (8, 217), (10, 331)])
def test_number_of_hexes_of_a_board(radius: int, many: int) -> None:
    assert len(board(radius)) == many
    rows = empty_set()
    hexes.mark_board(rows, radius)
    assert listed(rows, radius) == board(radius)


def test_distance() -> None:
    assert hexes.distance(at(-3, 0), at(3, 0)) == 6
    assert hexes.distance(at(4, 0), at(-4, 0)) == 8
    assert hexes.distance(at(0, 0), at(2, -1)) == 2
    assert hexes.distance(at(2, 3), at(2, 3)) == 0


def test_the_six_neighbours_are_clockwise_from_east() -> None:
    around = [hexes.neighbour(at(0, 0), direction, 6) for direction in range(6)]
    assert around == [at(1, 0), at(0, 1), at(-1, 1), at(-1, 0), at(0, -1), at(1, -1)]
    assert all(hexes.distance(one, other) == 1 for one, other in pairwise([*around, around[0]]))


def test_edge_hexes_have_fewer_neighbours() -> None:
    inside = {direction for direction in range(6) if hexes.neighbour(at(6, 0), direction, 6) != hexes.NOWHERE}
    assert inside == {hexes.SOUTH_WEST, hexes.WEST, hexes.NORTH_WEST}


def walk(source: int, through: int, steps: int, radius: int = hexes.LARGEST) -> list[int]:
    path = [through]
    for _ in range(steps):
        there = int(hexes.beyond(source, through, path[-1], radius))
        if there == hexes.NOWHERE:
            break
        path.append(there)
    return path


def test_a_line_along_a_row() -> None:
    assert walk(at(0, 0), at(1, 0), 4) == [at(q, 0) for q in range(1, 6)]


def test_a_line_between_two_rows_goes_clockwise_at_a_tie() -> None:
    assert walk(at(-1, -1), at(0, 0), 4) == [at(0, 0), at(0, 1), at(1, 1), at(1, 2), at(2, 2)]


def test_a_line_ends_at_the_edge() -> None:
    assert walk(at(0, 0), at(4, 0), 9, radius=6) == [at(4, 0), at(5, 0), at(6, 0)]


def test_a_line_leaves_its_source_ring_by_ring_and_stays_near_the_line() -> None:
    chance = random.Random(1)
    for _ in range(300):
        source, through = chance.sample(board(5), 2)
        path = walk(source, through, 5)
        away = [int(hexes.distance(source, a)) for a in path]
        assert away == list(range(away[0], away[0] + len(path)))
        q, r = (int(hexes.Q[through] - hexes.Q[source]), int(hexes.R[through] - hexes.R[source]))
        for a in path[1:]:
            aside = abs(q * int(hexes.R[a] - hexes.R[source]) - r * int(hexes.Q[a] - hexes.Q[source]))
            rivals = [
                b for b in ALL if hexes.distance(source, b) == hexes.distance(source, a) and hexes.distance(a, b) <= 1
            ]
            assert all(
                aside <= abs(q * int(hexes.R[b] - hexes.R[source]) - r * int(hexes.Q[b] - hexes.Q[source]))
                for b in rivals
            )


def spread(start: int, steps: int, radius: int, blocked: set[int], stops: set[int]) -> list[int]:
    ground, found = empty_set(), empty_set()
    hexes.mark_board(ground, radius)
    hexes.spread(start, steps, ground, set_of(*blocked), set_of(*stops), found)
    return listed(found, radius)


def test_a_disc_on_an_empty_board() -> None:
    assert spread(at(0, 0), 2, 6, set(), set()) == [a for a in board(2) if a != at(0, 0)]
    assert len(spread(at(0, 0), 6, 6, set(), set())) == 126
    assert spread(at(0, 0), 0, 6, set(), set()) == []


def test_a_stop_can_be_entered_but_not_passed() -> None:
    ring = {int(hexes.neighbour(at(0, 0), direction, 6)) for direction in range(6)}
    assert set(spread(at(0, 0), 5, 6, set(), ring)) == ring


def test_a_move_can_start_on_a_stop() -> None:
    assert len(spread(at(0, 0), 2, 6, set(), {at(0, 0)})) == 18


def test_reach_agrees_with_a_breadth_first_search() -> None:
    """Compare the bit operations with a plain breadth-first search."""
    chance = random.Random(2)
    for _ in range(200):
        radius = chance.choice([5, 6, 10])
        places = board(radius)
        start = chance.choice(places)
        blocked = set(chance.sample(places, 25)) - {start}
        stops = set(chance.sample(places, 25))
        steps = chance.randrange(9)
        found, front = {start}, {start}
        for _ in range(steps):
            leaving = [a for a in front if a == start or a not in stops]
            near = {int(hexes.neighbour(a, direction, radius)) for a in leaving for direction in range(6)}
            front = near - found - blocked - {hexes.NOWHERE}
            found |= front
        assert spread(start, steps, radius, blocked, stops) == sorted(found - {start})


def test_marking_the_hexes_around_a_hex() -> None:
    rows = empty_set()
    hexes.mark_around(rows, at(2, -1))
    assert listed(rows) == sorted(int(hexes.neighbour(at(2, -1), direction, hexes.LARGEST)) for direction in range(6))
