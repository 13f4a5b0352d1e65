"""Rules and tutorials are filled for the options and the content in force."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from sparring.engine.errors import SparringError
from sparring.engine.game import Game, GameSetup, game, games
from sparring.engine.options import ChoiceOption
from sparring.engine.texts import BLOCK, departures, examples, rules_text, summary
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.tutorials.lesson import lesson_of

DUEL = game("card-duel")
ALL = pytest.mark.parametrize("chosen", [*games().values(), HIGH_CARD], ids=lambda chosen: chosen.name)


def flat(text: str | None) -> str:
    """Return a text in one line."""
    return " ".join((text or "").split())


def rules(name: str, **options: Any) -> str:
    return flat(rules_text(game(name).setup(options)))


def own(cards: str, **options: Any) -> GameSetup:
    """Return a duel of a designer's own, called Bug Brawl."""
    data = {"name": "Bug Brawl", "cards": [dict(row) for row in rows(cards)]}
    return DUEL.setup(options, DUEL.content_from(data, "bugs.toml"))


def rows(cards: str) -> list[dict[str, Any]]:
    """Return six copies of each card: `Ant 1 2` is a character with attack and health, `Swat` an event."""
    found: list[dict[str, Any]] = []
    for card in cards.split(", "):
        name, *numbers = card.split()
        body = dict(zip(("attack", "health"), map(int, numbers), strict=False))
        effects = [] if body else [{"when": "played", "does": "damage", "to": "chosen enemy", "number": 1}]
        kind = "character" if body else "event"
        found.append({"name": name, "kind": kind, "cost": 1, "copies": 6, "effects": effects, **body})
    return found


@ALL
def test_every_value_of_every_option_has_rules_with_readable_examples(chosen: Game) -> None:
    for option in chosen.options():
        values = option.values if isinstance(option, ChoiceOption) else (option.low, option.default, option.high)
        for value in values:
            setup = chosen.setup({option.name: value})
            text = rules_text(setup)
            assert text
            assert "{{" not in text
            assert "{%" not in text
            shown = examples(setup)
            assert len(shown) == len(BLOCK.findall(text))
            assert all(example and example.scene for example in shown), (option.name, value)


@ALL
@pytest.mark.parametrize("preset", ["standard", "by the letter"])
def test_the_standard_rules_and_those_by_the_letter_name_no_other_value(chosen: Game, preset: str) -> None:
    setup = chosen.setup(chosen.preset(preset))
    text = rules_text(setup) or ""
    assert departures(setup) == ""
    assert ("In this game:" in text) == (setup.options != chosen.setup().options)
    assert not re.search(r"\(\S* ?in the document", text)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("five-circles", {}, "You start with five cards and 2 life. At 0 life you lose."),
        ("five-circles", {"life": 14}, "You start with five cards and 14 life (2 in the document)."),
        ("five-circles", {"opening": "hold"}, "The first combat is in turn 2 (in the document: in turn 1)."),
        ("five-circles", {"lethal": "meet"}, "A character with **as much damage as health** is destroyed"),
        ("five-circles", {"sleep": "still"}, "**In this game: A sleeping character: still blocks.** | R57 |"),
        ("untitled-movement", {}, "The first player with 4 tokens home wins."),
        ("untitled-movement", {"home": 2}, "The first player with 2 tokens home (4 in the document) wins."),
        ("untitled-movement", {"home": 1}, "The first player with 1 token home (4 in the document) wins."),
        ("mace", {"stall_rounds": 9}, "After 9 quiet Rounds (30 by default) in a row"),
        ("mace", {"jokers": 1}, "One pack of 52 and 1 Joker (2 in the document)."),
        ("mace", {"blast_cost": "reveal_only"}, "its value is your range in hexes and your attack"),
        ("make-your-moves", {"pass_attack": "yes"}, "control goes clockwise (in the document: allowed, control stays)"),
        ("make-your-moves", {"match": "elimination"}, "the last one standing wins (in the document: first to three"),
        ("world-of-fighters", {"super_score": "plus"}, "it scores 6 plus the fighter's stat (in the document: 6)"),
        ("card-duel", {"win": "points", "points": 7}, "Score 7 points to win."),
    ],
)
def test_rules_say_what_is_in_force(name: str, options: dict[str, Any], sentence: str) -> None:
    assert sentence in rules(name, **options)


def test_rulings_and_tables_name_the_option_in_force() -> None:
    told = rules("five-circles", life=9)
    assert "| R6 | Each player has 2 life (`life`). **In this game: Life: 9.** |" in told
    assert "| `life` | 1 to 50, default 2; here 9 |" in told


def test_departures_name_both_values() -> None:
    circles = game("five-circles")
    said = departures(circles.recommended_setup)
    assert said == "life 14 (2 in the document); first combat in turn 2 (in turn 1 in the document)"
    assert departures(circles.setup({"limit": 50})) == "turn limit 50 (100 by default)", "the document names none"
    assert departures(DUEL.setup({"life": 20})) == "", "the template follows no document"


def test_tutorials_end_with_the_match_that_follows() -> None:
    learned = lesson_of(game("five-circles")).learned
    assert "you start with 14 life (2 in the document)." in learned[-2]
    assert learned[-1].startswith("The match that you can start now: life 14 (2 in the document); first combat")
    assert not [line for line in lesson_of(game("mace")).learned if "you can start now" in line]


def test_examples_show_the_options_in_force() -> None:
    longer = examples(game("five-circles").recommended_setup)[0]
    assert longer
    assert longer.match().position()["life"] == [14, 14]


def test_the_rules_of_a_set_are_about_its_cards() -> None:
    setup = own("Ant 1 2, Bee 2 2, Swat", life=12)
    told = flat(rules_text(setup))
    assert told.startswith("# Bug Brawl")
    assert "4 cards and 12 life." in told
    assert "Guard" not in told.partition("## Options")[0]
    assert "| damage |" in told
    assert "| heal |" not in told
    shown = examples(setup)
    assert len(shown) == 2
    assert all(example and {"Ant", "Bee", "Swat"} >= cards_of(example.match().position()) for example in shown)
    assert not [card.name for card in DUEL.content.cards if card.name in told]
    assert "Card Duel" not in told


def cards_of(position: dict[str, Any]) -> set[str]:
    return {name for pile in (*position["hands"], *position["draw_pile"]) for name in pile}


def test_a_set_without_characters_has_rules() -> None:
    setup = own("Swat, Bite")
    assert len(examples(setup)) == 0
    assert "## How to play" in (rules_text(setup) or "")


def test_a_set_has_its_name_introduction_and_credit() -> None:
    setup = own("Ant 1 2, Bee 2 2", win="points", points=5)
    assert setup.title == "Bug Brawl"
    assert summary(setup).endswith("Score 5 points to win.")
    assert setup.credit.text.startswith("Bug Brawl by its designer")
    assert "MIT for the rules" in setup.credit.text
    assert (DUEL.setup().title, DUEL.setup().credit) == ("Card Duel", DUEL.credit)


@pytest.mark.parametrize("name", list(games()))
def test_every_sentence_of_a_credit_begins_as_one(name: str) -> None:
    assert not re.search(r"\. [a-z]|\.\.", games()[name].credit.text)


def test_names_of_cards_cannot_break_an_example() -> None:
    data = {"cards": [{**row, "name": f'{row["name"]} "\\ {{{{ 7 }}}}'} for row in rows("Ant 1 2, Bee 2 2, Swat")]}
    shown = examples(DUEL.setup({}, DUEL.content_from(data, "bugs.toml")))
    assert len(shown) == 2
    assert all(shown)


def test_a_faulty_placeholder_is_one_sentence(tmp_path: Path) -> None:
    for text, said in (
        ("{{ said('lif') }}", "no option 'lif'"),
        ("{{ lif }}", "'lif' is undefined"),
        ("{% if %}", "line 1: "),
    ):
        (tmp_path / "rules.md").write_text(text, encoding="utf-8")
        (tmp_path / "content.toml").write_text(HIGH_CARD.content_text, encoding="utf-8")
        with pytest.raises(SparringError, match=r"rules\.md.*" + re.escape(said)):
            rules_text(dataclasses.replace(HIGH_CARD, folder=tmp_path).setup())
