"""The papers of the game say what is so: the facts, the options, every ruling."""

import re
from pathlib import Path

from games.world_of_fighters.table import NAME
from sparring import Match
from sparring.engine.game import game
from sparring.engine.options import Choice, Option
from sparring.games.world_of_fighters import moves as sheet

GAME = game(NAME)
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
    assert facts["Name, version"] == f"`{GAME.name}`, {GAME.version}"
    assert facts["Seats"] == ", ".join(map(str, GAME.seats))
    assert facts["Hidden information"].startswith("yes" if GAME.hidden else "no")
    assert facts["Actions"] == f"{len(rules.ACTIONS)}: {actions}"
    assert facts["Phases"] == ", ".join(f"`{phase}`" for phase in rules.PHASES)
    assert facts["Endings"] == ", ".join(f"`{ending}`" for ending in rules.ENDINGS)
    assert facts["Longest match"].startswith(f"{longest} choices ")
    assert facts["Conceding"] == "none"
    assert not GAME.conceding
    assert facts["State"] == f"{rules.STATE.itemsize} bytes"
    assert facts["Kit"] == f"{rules.KIT.itemsize} bytes"
    assert facts["Features for learners"].startswith(f"{rules.FEATURES} numbers")
    assert facts["Fighters"].startswith(f"{len(GAME.content.fighters)}; ")
    assert str(GAME.version) in rows(DOCS, "Versions")


def test_the_longest_match_as_a_formula() -> None:
    assert GAME.longest(GAME.box({"round_limit": 37}), 2) == 2 + 7 * 37
    assert GAME.longest(GAME.box({"round_limit": 37, "super_call": "reveal"}), 2) == 2 + 9 * 37


def test_every_option_with_its_values_and_default() -> None:
    documented, told = rows(DOCS, "Options"), rows(RULES, "Options")
    assert list(documented) == list(told) == [f"`{option.name}`" for option in GAME.kit.OPTIONS]
    for option in GAME.kit.OPTIONS:
        default = f"`{option.default}`" if isinstance(option, Choice) else str(option.default)
        assert documented[f"`{option.name}`"] == f"{values(option)} | {default}"
        assert told[f"`{option.name}`"].startswith(values(option))
        assert told[f"`{option.name}`"].endswith(f"| {option.ruling}")


def test_every_ruling_is_told() -> None:
    assert list(rows(RULES, "Rulings")) == [f"R{number}" for number in range(1, 35)]


def test_every_field_of_a_position_is_told() -> None:
    told = re.findall(r"`(\w+)`", " ".join(rows(RULES, "Positions")))
    assert sorted(told) == sorted(Match.new(NAME, seed=1).position())


def test_the_fighters_are_those_of_the_rules() -> None:
    told = rows(RULES, "The fighters")
    kinds = dict(zip("PKGB", ("Punch", "Kick", "Grapple", "Block"), strict=True))
    assert list(told) == [fighter.name for fighter in GAME.content.fighters]
    for fighter in GAME.content.fighters:
        takes = f"{kinds[fighter.requirement[0]]} at range {fighter.super_range}"
        assert told[fighter.name].split(" | ") == [fighter.reach, *map(str, fighter.stats), fighter.super, takes]


def test_the_range_table_is_the_one_of_the_rules() -> None:
    tables = [sheet.PUNCH_CLOSE, sheet.PUNCH_LONG, sheet.KICKS, sheet.GRAPPLES]
    told = [line.replace("–", "0").split(" | ") for line in rows(RULES, "Range and score").values()]
    assert told == [[str(value) for value in table] for table in tables]
