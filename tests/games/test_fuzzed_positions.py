"""Any JSON of about the right form is a position that can be played on, or is refused with BadPosition."""

import contextlib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.shipped_games import GAMES, find
from sparring import Match
from sparring.engine.errors import BadPosition
from sparring.engine.laws import configurations

ANY = st.recursive(
    st.sampled_from([None, True, -1, 0, 1, 3, 99, 1 << 40, 1.5, "", "x", "1", "S1", "seat 9", "...", "Red1", "c3"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["S1", "2", "x"]), inner, max_size=2),
    max_leaves=5,
)


def changed(data: st.DataObject, value: Any, words: list[Any]) -> Any:
    """Return a value of a position with one change somewhere in it."""
    kind = data.draw(st.sampled_from(["any", "word", "inside", "inside", "longer", "shorter"]))
    if kind == "any" or not value or not isinstance(value, list | dict):
        return data.draw(ANY)
    if kind == "word":
        return data.draw(st.sampled_from(words))
    if isinstance(value, dict):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: changed(data, value[key], words)}
    place = data.draw(st.integers(0, len(value) - 1))
    if kind == "inside":
        return [*value[:place], changed(data, value[place], words), *value[place + 1 :]]
    return [*value, data.draw(st.sampled_from(words))] if kind == "longer" else value[:place]


def leaves(value: Any) -> list[Any]:
    """Return all texts and numbers in a position."""
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, list) else [value]


@GAMES
@settings(max_examples=40)
@given(data=st.data())
def test_a_fuzzed_position_is_read_or_refused(name: str, data: st.DataObject) -> None:
    game = find(name)
    seats, options = data.draw(st.sampled_from(configurations(game)))
    match = Match.deal(game.setup(options), seats, data.draw(st.integers(0, 1000)))
    for share in data.draw(st.lists(st.floats(0, 0.99), max_size=30)):
        if not match.over:
            legal = match.legal()
            match.choose(legal[int(share * len(legal))])
    position = match.position()
    own = sorted(position.keys() - {"game", "seats", "options", "seed", "random"})
    words = leaves([position[key] for key in own])
    for key in data.draw(st.lists(st.sampled_from(own), max_size=len(own), unique=True)):
        del position[key]
    for key in data.draw(st.lists(st.sampled_from(own), min_size=1, max_size=3)):
        position[key] = changed(data, position.get(key), words)
    with contextlib.suppress(BadPosition):
        read = Match.from_position(position, game=game)
        assert read.over or read.view(read.seat or 0).choices
