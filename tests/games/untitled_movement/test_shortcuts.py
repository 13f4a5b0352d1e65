"""Shortcuts: a tap on a space or token makes the choices that lead there."""

import random
from collections.abc import Iterator
from typing import Any

from games.untitled_movement.table import NAME, Table, rolled, row_and_column, table
from sparring import Match
from sparring.scene import Cell, Token, things
from sparring.scene.html import render


def shortcuts(t: Table, square: str) -> list[str]:
    """Return the shortcuts of a space for the seat to choose."""
    scene = t.match.view(t.match.seat or 0).scene
    (cell,) = [part for part in things(scene) if isinstance(part, Cell) and part.name == square]
    return [shortcut.words for shortcut in cell.shortcuts]


def of_token(t: Table, key: str) -> list[str]:
    scene = t.match.view(t.match.seat or 0).scene
    (token,) = [part for part in things(scene) if isinstance(part, Token) and part.key == key]
    return [shortcut.words for shortcut in token.shortcuts]


def html(t: Table) -> str:
    return str(render(t.match.view(t.match.seat or 0).scene))


def test_a_space_that_one_card_reaches_is_moved_to_with_one_tap() -> None:
    t = rolled(2, "7,5", "F L R")
    assert shortcuts(t, "f7") == ["F; token f8; to f7"]
    assert 'value="F; token f8; to f7"' in html(t)
    t.play(shortcuts(t, "f7")[0])
    assert (t.tokens("S"), t.moves, t.discards) == ("6,5", 1, "F")


def test_a_space_that_two_tokens_reach_asks_which_one_moves() -> None:
    t = rolled(2, ["7,5", "8,5"], "F L R")
    assert shortcuts(t, "f7") == ["F; token f8; to f7", "F; token f9; to f7"]
    drawn = html(t)
    assert 'popovertarget="shortcuts-cell-5-6"' in drawn
    assert drawn.count('id="shortcuts-cell-5-6"') == 1
    t.play(shortcuts(t, "f7")[1])
    assert t.tokens("S") == "7,5 6,5"


def test_a_token_answers_before_a_card_is_picked() -> None:
    t = rolled(2, "7,5", "F L L")
    assert of_token(t, "token 0 0") == ["F; token f8", "L; token f8"]
    t.play("L; token f8")
    assert t.to_move == "S space"


def test_with_a_3_a_tap_moves_or_places_a_token() -> None:
    t = rolled(3, "7,5", "F L R")
    assert t.to_move == "S three"
    assert shortcuts(t, "f7") == ["move; F; token f8; to f7"]
    start = next(cell.name for cell in things(t.match.view(1).scene) if isinstance(cell, Cell) and cell.seat == 1)
    assert shortcuts(t, start)[0] == f"place; to {start}"
    t.play(shortcuts(t, start)[0])
    assert row_and_column(start) in t.tokens("S")
    assert t.to_move == "S discard"


def test_a_picked_card_leaves_only_its_own_shortcuts() -> None:
    t = rolled(2, ["7,5", "7,7"], "F L R").play("F")
    assert shortcuts(t, "f7") == ["token f8; to f7"]
    assert shortcuts(t, "e8") == []


def test_only_the_seat_to_choose_has_shortcuts() -> None:
    t = rolled(2, "7,5", "F L R")
    assert all(not t.match.view(seat).scene.shortcuts for seat in (0, 2, 3, 4))
    before: Any = table(player="S", tokens={"S": "7,5"}, hands={"S": "F L R"})
    assert not before.match.view(1).scene.shortcuts  # before the roll


def test_every_move_has_its_shortcut() -> None:
    """Each way to choose a card, a token and a space is a shortcut to that space, and the other way round."""
    for seed in range(4):
        t = Table(Match.new(NAME, seats=2, seed=seed))
        dice = random.Random(seed)
        for _ in range(40):
            if t.match.over:
                break
            if t.match.phase == "card":
                offered = {each.words for each in t.match.view(t.match.seat or 0).scene.shortcuts}
                assert {words for words in offered if " to " in words} == set(moves(t.match))
            t.match.choose(dice.choice(t.match.legal()))


def moves(match: Match) -> Iterator[str]:
    """Yield every move of a token with a card, in words."""
    for card in match.choices():
        with_card = played(match, card.words)
        for token in with_card.choices() if with_card.phase == "token" else ():
            for space in played(with_card, token.words).choices():
                yield f"{card.words}; {token.words}; {space.words}"


def played(match: Match, words: str) -> Match:
    after = match.clone()
    after.play(words)
    return after
