"""Examples in the rules: one per phase, each a playable position drawn on the page and in text."""

from xml.dom.minidom import parseString

import pytest

from games.shipped_games import GAMES, find
from sparring.engine.examples import Example, examples, replace_examples
from sparring.scene.svg import PARTS
from sparring.scene.text import excerpt
from sparring.web.pages.game_pictures import drawn_example
from sparring.web.pages.rules_pages import rules_html


@GAMES
def test_every_phase_has_an_example_with_a_choice(name: str) -> None:
    game = find(name)
    matches = [example.match() for example in examples(game)]
    assert {match.phase for match in matches} == set(game.rules.PHASES)
    assert all(len(match.choices()) > 0 for match in matches)


@GAMES
def test_every_example_has_a_picture_and_a_sentence(name: str) -> None:
    game = find(name)
    page = rules_html(game, 2)
    for number, example in enumerate(examples(game), 1):
        assert set(example.parts) <= set(PARTS)
        assert parseString(drawn_example(game, number)).documentElement
        assert page.count(f'src="/games/{game.name}/examples/{number}"') == 1
        assert example.caption.endswith(".")
        assert excerpt(example.scene, example.parts)
    assert page.count("<figure>") == len(examples(game)) > 0
    assert "[position]" not in page


def test_an_example_shows_the_named_parts_from_the_named_seat() -> None:
    game = find("make-your-moves")
    example = Example(game=game, caption="Two.", position={"hands": ["Elbow, Jab", "Chop, Knee"]}, play="target 2; Jab")
    assert "Elbow" in excerpt(example.scene, ("hand",))
    assert "Elbow" not in excerpt(example.scene, ("middle",))
    assert "Seat 1" in excerpt(example.scene, ("seats",))
    other = Example(game=game, caption="Two.", position=example.position, play=example.play, seat=2)
    assert "Chop" in excerpt(other.scene, ("hand",))
    assert "Elbow" not in excerpt(other.scene, PARTS)


def test_examples_are_replaced_in_the_rules_text() -> None:
    text = 'Before.\n\n```example\ncaption = "x"\n```\n\nBetween.\n\n```example\n```\nAfter.\n'
    assert replace_examples(text, "({})".format) == "Before.\n\n(0)\nBetween.\n\n(1)After.\n"


@pytest.mark.parametrize("game", ["mace"])
def test_an_unknown_example_is_not_found(game: str) -> None:
    assert len(examples(find(game))) == 10
