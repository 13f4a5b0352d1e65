"""By the letter of their documents: one test per game, with each value in which the preset differs from the default."""

from typing import Any

import pytest

from games.five_circles.table import table as circles
from games.mace.table import table as mace
from games.make_your_moves.table import attacked
from games.make_your_moves.table import table as moves
from games.untitled_movement.table import table as movement
from games.world_of_fighters.table import table as fighters
from sparring import Game, games
from sparring.engine.game import DOCUMENT
from sparring.engine.texts import rules_text
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.printing.print_job import inventory_of
from sparring.scene import Board

FIVE = [game for game in games().values() if game.document_word]
MOVES, MACE, MOVEMENT, FIGHTERS, CIRCLES = (
    dict[str, Any](games()[name].preset(DOCUMENT))
    for name in ("make-your-moves", "mace", "untitled-movement", "world-of-fighters", "five-circles")
)


def test_make_your_moves() -> None:
    t = moves("Red3", "Blue1", options=MOVES, points=[1, 0], turn=199).play("S1: pass")
    assert t.outcome == "1-0, S1", "the one who declines stays in control"
    t.play("S1: done; S2: done")
    assert t.to_move == "S1 target"
    t.play("S1: pass")
    assert (t.match.ending, t.payoffs) == ("turn limit", [1, -1]), "a leader who only passes wins"
    t = attacked("Wild2 Red3", "Blue1", "Red1 Wild1 Wild2", options=MOVES).play("S2: Red1; Wild1")
    assert t.choices == "done", "a Red and a Wild, no second Wild"


def test_world_of_fighters() -> None:
    t = fighters("Hai Wu a3 7", "Duke f4 15", "Grapple Kick Kick", "Kick Punch Block", round=11, options=FIGHTERS)
    t.play("P1: move 2; call grapple")
    assert t.status == "P2 move_card"
    assert t.match.log(2)[-1] == "Seat 1 calls Climbing Monkey, a Grapple at range 3!"


def test_mace() -> None:
    t = mace("8S 2H 3D 4D 6D", "9C 9S 9H QH KH", None, fighters=["0,0", "1,0", "4,-1"], options=MACE)
    assert t.play("strike 8S; target 2; take; pay 9C").at(2) == "3,0", "four hexes, but seat 3's Reach begins here"
    t = mace("2H 3H", "2D 3D 4D", momentum=["AC", "KH"], quiet=29, options={**MACE, "forfeits": "off"})
    assert t.play("end; end").payoffs == [0, 0], "more cards don't win"


def test_untitled_movement() -> None:
    stalling = {**MOVEMENT, "stall_rounds": 1, "two_player_seats": "SN"}
    t = movement(2, stalling, tokens={"S": ["0,4", "0,5"], "N": ["0,6"]}).play("discard hand; discard hand")
    assert t.wins == {"S": 0, "N": 0}, "two tokens home don't win against one that never left its start"
    t = movement(4, MOVEMENT, tokens={"S": ["4,4"], "W": ["4,5"], "N": ["4,6"], "E": ["4,7"]})
    board = t.match.view(1).scene.middle[0]
    assert isinstance(board, Board)
    assert [token.label for token in board.tokens] == [
        "e5, your blue token", "f5, Seat 2's red token", "g5, Seat 3's white token", "h5, Seat 4's black token",
    ]  # fmt: skip
    counters = inventory_of(t.match.setup, 4).counters
    assert [(each.title, each.count) for each in counters[2:]] == [
        ("White tokens of seat 3", 4), ("Black tokens of seat 4", 4),
    ]  # fmt: skip


def test_five_circles() -> None:
    options = {name: value for name, value in CIRCLES.items() if name != "life"}
    t = circles("1 Ash 2/1", turn=1, life=(CIRCLES["life"],) * 2, **options).play("done")
    assert (t.match.over, t.life) == (True, (2, 0)), "the first player takes both life from an empty table"
    t = circles(hand="Red", phase="resources", **options).play("resource red")
    assert t.hand(0) == "Green Green Green", "the hand has run out in the turn, not at its start"


@pytest.mark.parametrize(
    ("name", "here", "not_here"),
    [
        ("make-your-moves", ["They may pass instead and stay in control."], []),
        ("world-of-fighters", ["may call your **super move**", "hears the call at once", "may call your super when"],
         ["claim your", "stays secret"]),
        ("mace", ["and so does its Reach", "it is a draw."], ["most cards in hand wins"]),
    ],
)  # fmt: skip
def test_the_rules_explain_the_preset(name: str, here: list[str], not_here: list[str]) -> None:
    told = (rules_text(games()[name].setup(games()[name].preset(DOCUMENT))) or "").split("## Options")[0]
    assert all(words in told for words in here)
    assert not any(words in told for words in not_here)


@pytest.mark.parametrize("game", FIVE, ids=lambda game: game.name)
def test_each_option_names_the_words_that_it_follows(game: Game) -> None:
    preset = game.presets[DOCUMENT]
    assert preset.options.keys() == preset.quotes.keys()
    assert game.setup(preset.options).options != game.setup().options
    assert all(len(words.split()) <= 5 for words in preset.quotes.values())


def test_a_game_without_a_document_has_its_defaults_by_that_name() -> None:
    assert HIGH_CARD.preset(DOCUMENT) == {}
    assert list(HIGH_CARD.variants) == ["standard"]
