"""The papers of World of Fighters say what is so: the fighters, the range table, the longest match."""

from games.papers import page, rows, rules
from games.world_of_fighters.table import NAME
from sparring.engine.game import game
from sparring.games.world_of_fighters import moves as sheet

GAME = game(NAME)


def test_the_longest_match_as_a_formula() -> None:
    assert GAME.longest(GAME.box({"round_limit": 37}), 2) == 2 + 7 * 37
    assert GAME.longest(GAME.box({"round_limit": 37, "super_call": "reveal"}), 2) == 2 + 9 * 37


def test_the_fighters_are_those_of_the_rules() -> None:
    told = rows(rules(GAME), "The fighters")
    kinds = dict(zip("PKGB", ("Punch", "Kick", "Grapple", "Block"), strict=True))
    assert list(told) == [fighter.name for fighter in GAME.content.fighters]
    for fighter in GAME.content.fighters:
        takes = f"{kinds[fighter.requirement[0]]} at range {fighter.super_range}"
        assert told[fighter.name].split(" | ") == [fighter.reach, *map(str, fighter.stats), fighter.super, takes]
    assert rows(page(GAME), "Facts")["Fighters"].startswith(f"{len(GAME.content.fighters)}; ")


def test_the_range_table_is_the_one_of_the_rules() -> None:
    tables = [sheet.PUNCH_CLOSE, sheet.PUNCH_LONG, sheet.KICKS, sheet.GRAPPLES]
    told = [line.replace("–", "0").split(" | ") for line in rows(rules(GAME), "Range and score").values()]
    assert told == [[str(value) for value in table] for table in tables]
