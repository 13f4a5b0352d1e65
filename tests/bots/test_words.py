import re

import pytest

from sparring import BadBot, bots
from sparring.bots import LEVELS, STRENGTHS


def test_random_does_not_think() -> None:
    bot = bots.parse("random")
    assert (bot.iterations, bot.seconds, bot.searches) == (0, 0.0, False)


def test_search_alone_thinks_five_thousand_iterations() -> None:
    assert bots.parse("search").iterations == 5000


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_a_number_of_iterations(level: str) -> None:
    assert bots.parse(f"search:level={level}").iterations == LEVELS[level]


def test_a_budget_is_written_in_iterations_or_seconds() -> None:
    assert bots.parse("search:iterations=17").iterations == 17
    assert bots.parse(" Search:seconds=0.25 ").seconds == 0.25
    assert bots.parse("search:seconds=0.25").iterations == 0


def test_what_mixes_is_written_in_the_same_way() -> None:
    assert (bots.parse("mix").iterations, bots.parse("mix").title) == (5000, "Mixing strong bot")
    assert bots.parse("mix:level=gentle").iterations == LEVELS["gentle"]
    assert bots.parse("mix:iterations=17").title == "Mixing bot of 17"
    assert bots.parse("mix:seconds=0.25").seconds == 0.25


def test_strengths_go_from_weak_to_strong() -> None:
    iterations = [bots.parse(text).iterations for text in STRENGTHS]
    assert iterations == sorted(iterations)
    assert len({bots.parse(text).title for text in STRENGTHS}) == len(STRENGTHS)


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("", "random, search"), ("clever", "random, search"), ("random:level=gentle", "random, search"),
        ("search:", "search:level=NAME"), ("search:depth=3", "a level (gentle, steady, strong, master)"),
        ("search:level=godlike", "gentle, steady, strong, master"), ("search:level", "gentle"),
        ("search:iterations=0", "1 to 1000000"), ("search:iterations=1000001", "1 to 1000000"),
        ("search:iterations=9999999999999", "1 to 1000000"), ("search:iterations=1.5", "a whole number"),
        ("search:iterations=²", "a whole number"), ("search:seconds=0", "0.01 to 60"),
        ("search:seconds=nan", "0.01 to 60"),
        ("search:seconds=1e9", "0.01 to 60"), ("search:seconds=soon", "0.01 to 60"),
    ],
)  # fmt: skip
def test_other_words_are_refused_in_one_sentence_that_says_what_is_possible(text: str, possible: str) -> None:
    with pytest.raises(BadBot, match=re.escape(possible)) as refused:
        bots.parse(text)
    assert str(refused.value).count(". ") == 0
