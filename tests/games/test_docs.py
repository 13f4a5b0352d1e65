"""The docs of every game match its code: facts, options, rulings, and fields of a position."""

import re

import pytest

from games.game_docs import page, positions, rows, rules, table
from games.shipped_games import BUILT_IN
from sparring import Game, Match
from sparring.engine.options import ChoiceOption, Option

GAMES = pytest.mark.parametrize("game", list(BUILT_IN.values()), ids=list(BUILT_IN))

#: Fields of every position, which are documented once for all games.
EVERYWHERE = {"game", "seats", "seed", "options", "random"}


def values(option: Option) -> str:
    if isinstance(option, ChoiceOption):
        return ", ".join(f"`{value}`" for value in option.values)
    return f"{option.low} to {option.high}"


@GAMES
def test_facts(game: Game) -> None:
    facts, machine = rows(page(game), "Facts"), game.rules
    longest = ", ".join(str(game.max_choices(game.setup(), seats)) for seats in game.seats)
    assert facts["Name, version"] == f"`{game.name}`, {game.version}"
    assert facts["Seats"] == ", ".join(map(str, game.seats))
    assert facts["Hidden information"].startswith("yes" if game.hidden else "no")
    assert facts["Actions"].startswith(f"{len(machine.ACTIONS)}: ")
    assert all(f"`{block}`" in facts["Actions"] for block in machine.ACTIONS.blocks if block != "give_up")
    assert facts["Phases"] == ", ".join(f"`{phase}`" for phase in machine.PHASES)
    assert facts["Endings"] == ", ".join(f"`{ending}`" for ending in machine.ENDINGS)
    assert facts["Longest match"].startswith(f"{longest} choices for ")
    assert (facts["Conceding"] == "none") == (not game.conceding)
    assert facts["State"] == f"{machine.State.dtype.itemsize} bytes"
    assert facts["Params record"] == f"{game.params.Params.dtype.itemsize} bytes"
    assert facts["Features for machine learning"].startswith(f"{machine.FEATURES} numbers")
    assert str(game.version) in rows(page(game), "Versions")


@GAMES
def test_options_values_and_defaults(game: Game) -> None:
    documented, told = rows(page(game), "Options"), rows(rules(game), "Options")
    told = {name: row for name, row in told.items() if name.startswith("`")}  # not those of the preset by the letter
    assert list(documented) == list(told) == [f"`{option.name}`" for option in game.options()]
    for option in game.options():
        default = f"`{option.default}`" if isinstance(option, ChoiceOption) else str(option.default)
        assert documented[f"`{option.name}`"] == f"{values(option)} | {default}"
        assert told[f"`{option.name}`"].startswith(values(option))
        assert told[f"`{option.name}`"].endswith(f"| {option.ruling}".rstrip())


@GAMES
def test_every_option_has_a_description(game: Game) -> None:
    for option in game.options():
        assert option.group
        if isinstance(option, ChoiceOption):
            said = [option.in_words(value) for value in option.values]
            assert len(set(option.words)) == len(said)
            assert not any("_" in words for words in said)


@GAMES
def test_every_ruling_is_documented(game: Game) -> None:
    """R1, R2 and so on without a gap, including all that options refer to."""
    told = list(rows(rules(game), "Rulings"))
    assert told == [f"R{number}" for number in range(1, len(told) + 1)]
    assert {ruling for option in game.options() for ruling in re.findall(r"R\d+", option.ruling)} <= set(told)


@GAMES
def test_every_field_of_a_position_is_documented(game: Game) -> None:
    fields = [line.partition("|")[0] for line in table(positions(game))]
    told = set(re.findall(r"`(\w+)`", " ".join(fields)))
    assert set(Match.new(game, seed=1).position()) - EVERYWHERE <= told
