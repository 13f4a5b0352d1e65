"""The papers of the game say what is so: the facts, the options, every ruling."""

import re
from pathlib import Path

from games.untitled_movement.table import NAME
from sparring import Match
from sparring.engine.options import Choice, Option
from sparring.games.untitled_movement import GAME

RULES = (GAME.folder / "rules.md").read_text(encoding="utf-8")
DOCS = (Path(__file__).parents[3] / "docs" / "games" / f"{NAME}.md").read_text(encoding="utf-8")


def rows(text: str, heading: str) -> dict[str, str]:
    """The table under a heading: what stands in its first column, and the rest of the line."""
    section = text.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    found = re.findall(r"^\| *(.*?) *\| (.*) \|$", section, re.MULTILINE)
    return dict(found[1:])


def values(option: Option) -> str:
    if isinstance(option, Choice):
        return ", ".join(f"`{value}`" for value in option.values)
    return f"{option.low} to {option.high}"


def test_the_facts() -> None:
    facts, rules = rows(DOCS, "Facts"), GAME.rules
    longest = ", ".join(str(GAME.longest(GAME.box(), seats)) for seats in GAME.seats)
    actions = ", ".join(f"`{name}` {size}" for name, size in rules.ACTIONS.blocks.items())
    decks = GAME.content.decks
    assert facts["Name, version"] == f"`{GAME.name}`, {GAME.version}"
    assert facts["Seats"] == ", ".join(map(str, GAME.seats))
    assert facts["Hidden information"].startswith("yes" if GAME.hidden else "no")
    assert facts["Actions"] == f"{len(rules.ACTIONS)}: {actions}"
    assert facts["Phases"] == ", ".join(f"`{phase}`" for phase in rules.PHASES)
    assert facts["Endings"] == ", ".join(f"`{ending}`" for ending in rules.ENDINGS)
    assert facts["Longest match"].startswith(f"{longest} choices for 2 and 4 seats and 100 stall rounds")
    assert facts["Conceding"] == "none"
    assert not GAME.conceding
    assert facts["State"] == f"{rules.STATE.itemsize} bytes"
    assert facts["Kit"] == f"{rules.KIT.itemsize} bytes"
    assert facts["Features for learners"].startswith(f"{rules.FEATURES} numbers")
    assert facts["Decks"].startswith(f"{sum(decks['published'].values())} cards, or {sum(decks['pnp'].values())} ")
    assert str(GAME.version) in rows(DOCS, "Versions")


def test_the_longest_match_as_a_formula() -> None:
    for seats in GAME.seats:
        assert GAME.longest(GAME.box({"stall_rounds": 37}), seats) == seats + (7 * seats + 1) * 37 * seats * 11


def test_every_option_with_its_values_and_default() -> None:
    documented, told = rows(DOCS, "Options"), rows(RULES, "Options")
    assert list(documented) == list(told) == [f"`{option.name}`" for option in GAME.kit.OPTIONS]
    for option in GAME.kit.OPTIONS:
        default = f"`{option.default}`" if isinstance(option, Choice) else str(option.default)
        assert documented[f"`{option.name}`"] == f"{values(option)} | {default}"
        assert told[f"`{option.name}`"].startswith(values(option))
        assert told[f"`{option.name}`"].endswith(f"| {option.ruling}")


def test_every_ruling_is_told() -> None:
    assert list(rows(RULES, "Rulings")) == [f"R{number}" for number in range(1, 37)]


def test_every_field_of_a_position_is_told() -> None:
    told = re.findall(r"`(\w+)`", " ".join(rows(RULES, "Positions")))
    house = {"game", "seats", "seed", "options", "random"}
    assert sorted(told) == sorted({*Match.new(NAME, seed=1).position(), "dice"} - house)


def test_the_decks_are_those_of_the_rules() -> None:
    for name, counts in zip(("`published`", "`pnp`: a pack of 52"), GAME.content.decks.values(), strict=True):
        told = rows(RULES, "What is in the box")[name].split(" | ")
        assert [int(count) for count in told] == [*counts.values(), sum(counts.values())]
