"""Printed components are exactly the pieces dealt, for all games and contents."""

import importlib
import sys
from collections import Counter
from pathlib import Path

import pytest

from sparring import Game, Match, games
from sparring.engine.errors import CannotPrint
from sparring.engine.formats.toml import read_toml
from sparring.games.high_card import GAME as HIGH_CARD

pytest.importorskip("typst", reason="the extra `print` is not installed")

from sparring.printing.print_job import inventory_of

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PACKAGES = {"crazy_eights": 52, "kuhn_poker": 3, "leduc_poker": 6}


def example(name: str) -> Game:
    sys.path.insert(0, str(EXAMPLES / name))
    try:
        made: Game = importlib.import_module(name).GAME
    finally:
        sys.path.pop(0)
    return made


@pytest.mark.parametrize("name", games())
def test_every_piece_is_printed_once_for_each_number_of_seats(name: str) -> None:
    game = games()[name]
    for seats in game.seats:
        setup = game.setup()
        dealt = game.position.components(setup, Match.deal(setup, seats, 1).state)
        assert Counter(inventory_of(setup, seats).components) == Counter(dealt)


def test_decks_of_five_circles_match_its_file() -> None:
    game = games()["five-circles"]
    content = game.content
    for deck, said in zip(inventory_of(game.setup(), 2).decks, content.decks, strict=True):
        printed = {copies.face.name: copies.count for copies in deck.cards}
        assert printed == dict(Counter((*said.characters, *said.resources)))


def test_copies_of_a_design_and_own_decks_are_counted() -> None:
    game = games()["five-circles"]
    data = (game.folder / "content.toml").read_text(encoding="utf-8").replace(
        '"Matchstick Imp", "Pebble Crab", "Clover Hare"', '"Matchstick Imp x3"')  # fmt: skip
    file = game.content_from(read_toml(data, "own.toml"), "own.toml")
    setup = game.setup({"decks": "own"}, file)
    printed = inventory_of(setup, 2)
    assert {copies.face.name: copies.count for copies in printed.decks[0].cards}["Matchstick Imp"] == 3
    assert Counter(printed.components) == Counter(game.position.components(setup, Match.deal(setup, 2, 1).state))


def test_options_change_what_is_printed() -> None:
    mace = games()["mace"]
    assert inventory_of(mace.setup({"jokers": 4}), 2).decks[0].count == 56
    assert len(inventory_of(mace.setup({"radius": 5}), 2).boards[0].cells) == 91
    movement = games()["untitled-movement"]
    assert inventory_of(movement.setup({"deck": "pnp"}), 4).decks[0].count == 42
    assert sum(counter.count for counter in inventory_of(movement.setup(), 4).counters) == 16


@pytest.mark.parametrize(
    ("name", "options", "here", "elsewhere"),
    [
        ("make-your-moves", {"pass_attack": "keep"}, "Attack or pass:", "Attack:"),
        ("world-of-fighters", {"movement": "upto"}, "Move up to", "you lose"),
        ("world-of-fighters", {"settle": "together"}, "both attack at the same time", "attacks first"),
        ("world-of-fighters", {"super_call": "reveal"}, "claim it", "call it"),
        ("world-of-fighters", {"super_score": "plus"}, "scores 6 plus your stat.", "scores 6."),
    ],
)
def test_the_turn_summary_follows_the_options(name: str, options: dict[str, str], here: str, elsewhere: str) -> None:
    given, default = (" ".join(inventory_of(games()[name].setup(each), 2).turn) for each in (options, {}))
    assert (here in given, elsewhere in given) == (True, False)
    assert (here in default, elsewhere in default) == (False, True)


@pytest.mark.parametrize("seats", HIGH_CARD.seats)
def test_a_game_without_an_inventory_prints_what_its_table_shows(seats: int) -> None:
    setup = HIGH_CARD.setup()
    printed = inventory_of(setup, seats)
    assert Counter(printed.components) == Counter(
        HIGH_CARD.position.components(setup, Match.deal(setup, seats, 1).state)
    )
    assert [copies.face.value for copies in printed.decks[0].cards] == [
        str(value) for value in dict.fromkeys(HIGH_CARD.content.values)
    ]
    assert [(scale.title, scale.top, scale.seat) for scale in printed.scales] == [
        ("Tricks", 3, seat + 1) for seat in range(seats)
    ]
    assert printed.turn == (HIGH_CARD.summary,)


@pytest.mark.parametrize(("name", "cards"), PACKAGES.items())
def test_games_of_other_packages_print_completely(name: str, cards: int) -> None:
    game = example(name)
    (deck,) = inventory_of(game.setup(), game.seats[0]).decks
    assert deck.count == cards


def test_a_game_that_never_shows_some_cards_must_declare_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from sparring.printing import print_job

    monkeypatch.setattr(print_job, "MAX_MATCHES", 1)
    with pytest.raises(CannotPrint, match=r"High Card has 20 pieces, but its table shows only \d+ of them"):
        inventory_of(HIGH_CARD.setup({"hand": 1}), 2)
