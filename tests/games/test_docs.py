"""The docs of every game match its code: options, rulings, and fields of a position.

What is generated from the code is tested in `tests/generated`.
"""

import re

import pytest

from games.game_docs import page, positions, rows, rules, table
from games.shipped_games import BUILT_IN
from generated.documents import values
from sparring import Game, Match
from sparring.engine.options import ChoiceOption

GAMES = pytest.mark.parametrize("game", list(BUILT_IN.values()), ids=list(BUILT_IN))

#: Fields of every position, which are documented once for all games.
EVERYWHERE = {"game", "seats", "seed", "options", "random"}


@GAMES
def test_the_version_history_has_the_current_version(game: Game) -> None:
    assert str(game.version) in rows(page(game), "Versions")


@GAMES
def test_the_rules_list_the_values_of_every_option(game: Game) -> None:
    told = {name: row for name, row in rows(rules(game), "Options").items() if name.startswith("`")}
    assert list(told) == [f"`{option.name}`" for option in game.options()]  # and those of the preset by the letter
    for option in game.options():
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
