"""The rules and the docs page match the code: fighters, range table, longest match."""

from games.game_docs import page, rows, rules
from games.world_of_fighters.table import NAME
from sparring.engine.game import game
from sparring.games.world_of_fighters import moves

GAME = game(NAME)


def test_the_longest_match() -> None:
    assert GAME.max_choices(GAME.setup({"round_limit": 37}), 2) == 2 + 7 * 37
    assert GAME.max_choices(GAME.setup({"round_limit": 37, "super_call": "reveal"}), 2) == 2 + 9 * 37


def test_the_rules_list_the_fighters() -> None:
    listed = rows(rules(GAME), "The fighters")
    kinds = dict(zip("PKGB", ("Punch", "Kick", "Grapple", "Block"), strict=True))
    assert list(listed) == [fighter.name for fighter in GAME.content.fighters]
    for fighter in GAME.content.fighters:
        needs = f"{kinds[fighter.requirement[0]]} at range {fighter.super_range}"
        assert listed[fighter.name].split(" | ") == [fighter.reach, *map(str, fighter.stats), fighter.super, needs]
    assert rows(page(GAME), "Facts")["Fighters"].startswith(f"{len(GAME.content.fighters)}; ")


def test_the_rules_list_the_range_table() -> None:
    tables = [moves.BASES[row, 1:4] for row in (moves.PUNCH_CLOSE, moves.PUNCH_LONG, moves.KICKS, moves.GRAPPLES)]
    listed = [line.replace("–", "0").split(" | ") for line in rows(rules(GAME), "How to play").values()]
    assert listed == [[str(value) for value in table] for table in tables]
