import re

import pytest

from sparring import BadBot, bots, games
from sparring.bots import LEVELS, STRENGTHS
from sparring.games.high_card import GAME as HIGH_CARD


def test_random_does_not_search() -> None:
    bot = bots.parse("random")
    assert (bot.iterations, bot.seconds, bot.searches) == (0, 0.0, False)


def test_search_without_a_level_is_strong() -> None:
    assert bots.parse("search").level == "strong"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_has_the_games_budget_with_and_without_a_value_model(level: str) -> None:
    judged, bare = games()["make-your-moves"], HIGH_CARD
    for game, which in ((judged, 0), (bare, 1)):
        bot = bots.parse(f"search:level={level}").at_table(game.setup(), 2)
        assert (bot.iterations, bot.max_depth) == (game.levels[level][which], game.levels[level].max_depth)
    assert (
        bots.parse(f"plain:level={level}").at_table(judged.setup(), 2).iterations == judged.levels[level].without_model
    )


@pytest.mark.parametrize("game", games())
def test_levels_of_a_game_grow_in_budget_and_depth(game: str) -> None:
    levels = games()[game].levels
    assert list(levels) == list(LEVELS)
    for which in (0, 1):
        thought = [(level.max_depth or 1000, level[which]) for level in levels.values()]
        assert thought == sorted(thought)


def test_a_budget_is_given_in_iterations_or_seconds() -> None:
    assert bots.parse("search:iterations=17").iterations == 17
    assert bots.parse(" Search:seconds=0.25 ").seconds == 0.25
    assert bots.parse("search:seconds=0.25").iterations == 0


def test_a_mixed_strategy_bot_has_the_same_options() -> None:
    assert (bots.parse("mix").level, bots.parse("mix").title) == ("strong", "Mixed-strategy bot")
    assert bots.parse("mix:level=gentle").at_table(HIGH_CARD.setup(), 2).iterations == LEVELS["gentle"].without_model
    assert bots.parse("mix:level=steady").title == "Mixed-strategy steady bot"
    assert bots.parse("mix:iterations=17").title == "Mixed-strategy bot with 17 iterations"
    assert bots.parse("mix:seconds=0.25").seconds == 0.25


def test_strengths_are_ordered_from_weak_to_strong() -> None:
    assert list(STRENGTHS) == ["random", *(f"search:level={level}" for level in LEVELS)]
    assert len({bots.parse(text).title for text in STRENGTHS}) == len(STRENGTHS)


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("", "random, search"), ("clever", "random, search"), ("random:level=gentle", "random, search"),
        ("search:", "search:level=NAME"), ("search:depth=3", "level (first-match, gentle, steady, strong, master)"),
        ("search:level=godlike", "first-match, gentle, steady, strong, master"), ("search:level", "gentle"),
        ("search:iterations=0", "1 to 1000000"), ("search:iterations=1000001", "1 to 1000000"),
        ("search:iterations=9999999999999", "1 to 1000000"), ("search:iterations=1.5", "a whole number"),
        ("search:iterations=²", "a whole number"), ("search:seconds=0", "0.01 to 60"),
        ("search:seconds=nan", "0.01 to 60"),
        ("search:seconds=1e9", "0.01 to 60"), ("search:seconds=soon", "0.01 to 60"),
    ],
)  # fmt: skip
def test_an_invalid_spec_is_refused_with_the_valid_ones(text: str, possible: str) -> None:
    with pytest.raises(BadBot, match=re.escape(possible)) as refused:
        bots.parse(text)
    assert str(refused.value).count(". ") == 0
