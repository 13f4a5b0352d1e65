"""Examples in the rules: one per phase, each a playable position drawn on the page and in text."""

from xml.dom.minidom import parseString

from games.shipped_games import GAMES, find
from sparring.engine.texts import Example, examples, replace_examples
from sparring.scene.svg import PARTS
from sparring.scene.text import excerpt
from sparring.site.pages.game_pictures import drawn_example
from sparring.site.pages.rules_pages import rules_html


@GAMES
def test_every_phase_has_an_example_with_a_choice(name: str) -> None:
    game = find(name)
    matches = [example.match() for example in examples(game.setup()) if example]
    assert {match.phase for match in matches} == set(game.rules.PHASES)
    assert all(len(match.choices()) > 0 for match in matches)


@GAMES
def test_every_example_has_a_picture_and_a_sentence(name: str) -> None:
    game = find(name)
    page = rules_html(game.recommended_setup, 2, "/here")
    for number, example in enumerate(examples(game.recommended_setup), 1):
        assert example
        assert set(example.parts) <= set(PARTS)
        assert parseString(drawn_example(game.recommended_setup, number)).documentElement
        assert page.count(f'src="/here/examples/{number}"') == 1
        assert example.caption.endswith(".")
        assert excerpt(example.scene, example.parts)
    assert page.count("<figure>") == len(examples(game.recommended_setup)) > 0
    assert "[position]" not in page


def test_an_example_shows_the_named_parts_from_the_named_seat() -> None:
    game = find("make-your-moves")
    example = Example(
        setup=game.setup(), caption="Two.", position={"hands": ["Elbow, Jab", "Chop, Knee"]}, play="target 2; Jab"
    )
    assert "Elbow" in excerpt(example.scene, ("hand",))
    assert "Elbow" not in excerpt(example.scene, ("middle",))
    assert "Seat 1" in excerpt(example.scene, ("seats",))
    other = Example(setup=game.setup(), caption="Two.", position=example.position, play=example.play, seat=2)
    assert "Chop" in excerpt(other.scene, ("hand",))
    assert "Elbow" not in excerpt(other.scene, PARTS)


def test_examples_are_replaced_in_the_rules_text() -> None:
    text = 'Before.\n\n```example\ncaption = "x"\n```\n\nBetween.\n\n```example\n```\nAfter.\n'
    assert replace_examples(text, "({})".format) == "Before.\n\n(0)\nBetween.\n\n(1)After.\n"


def test_an_unknown_example_has_no_picture() -> None:
    setup = find("mace").setup()
    assert len(examples(setup)) == 10
    assert drawn_example(setup, 0) == drawn_example(setup, 11) == ""
