"""Store all options of tables and variants, not only those that differ from the defaults; add the lines of matches."""

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

#: The version of the rules to which the defaults belong.
VERSION = 1
#: The defaults of that time.
DEFAULTS: dict[str, dict[str, str | int]] = {
    "five-circles": {
        "decks": "shared", "life": 2, "opening": "strike", "lethal": "exceed", "recover": "own-turn",
        "refill": "start", "breach": "points", "attack": "must", "summons": "at-once", "brace": "any",
        "sleep": "open", "heal": "calm", "reflect": "defending", "target": "own-lane", "longrange": "safe",
        "fireball": "cards", "sleeper": "keeps", "avoid": "turn", "serenity": "all", "extra": "entry", "uses": "once",
        "points": "up-to", "repeats": "no", "empty": "stop", "sunset": 6, "limit": 100,
    },
    "mace": {
        "jokers": 2, "radius": 6, "discard_timing": "at_once", "blast_cost": "play_club",
        "knockback_rounding": "down", "knockback_reach": "ignores", "forfeits": "on", "stall_rounds": 30,
        "stall_result": "leader",
    },
    "make-your-moves": {
        "match": "points", "pass_attack": "no", "defence_wilds": "any", "wild_fours": "no", "assist_fit": "any",
        "point_cards": "deck", "first_control": "random", "turn_limit": 200,
    },
    "untitled-movement": {
        "board": "mirror-gate", "two_player_seats": "board", "deck": "published", "die": "d3", "home": 4,
        "stall_rounds": 100, "stall_result": "leader",
    },
    "world-of-fighters": {
        "board": "7x5", "movement": "exact", "pass_through": "no", "punch_ends": "fighter", "settle": "order",
        "super_call": "place", "super_score": "flat", "super_vs_block": "always", "round_limit": 100,
    },
    "card-duel": {
        "win": "life", "life": 8, "points": 10, "rounds": 25, "hand": 4, "second_cards": 2, "draw": 1,
        "hand_limit": 8, "growth": "grows", "energy": 8, "second_energy": 1, "combat": "choose", "slots": 5,
        "first": "random",
    },
}  # fmt: skip
#: A game and its option whose values custom content names: not stored, it means the first one, whatever the default is.
NAMED_BY_CONTENT = ("untitled-movement", "board")

Options = dict[str, Any]


def upgrade() -> None:
    for table in ("tables", "records"):
        op.add_column(table, sa.Column("lines", sa.LargeBinary))
    _rewrite(lambda stored, defaults: {**defaults, **stored})


def downgrade() -> None:
    _rewrite(lambda stored, defaults: {name: stored[name] for name in stored if stored[name] != defaults.get(name)})
    for table in ("tables", "records"):
        op.drop_column(table, "lines")


def _rewrite(change: Callable[[Options, Options], Options]) -> None:
    tables = sa.table("tables", *map(sa.column, ("game", "game_version", "options", "content")))
    variants = sa.table("variants", *map(sa.column, ("game", "options", "content")))
    for game, defaults in DEFAULTS.items():
        own = {name: value for name, value in defaults.items() if (game, name) != NAMED_BY_CONTENT}
        for rows, known in ((tables, tables.c.game_version == VERSION), (variants, sa.true())):
            for content, assumed in ((rows.c.content.is_(None), defaults), (rows.c.content.is_not(None), own)):
                where = sa.and_(rows.c.game == game, known, content)
                for options in op.get_bind().scalars(sa.select(rows.c.options).where(where).distinct()).all():
                    op.execute(
                        rows.update()
                        .where(where, rows.c.options == options)
                        .values(options=_written(change(json.loads(options), assumed)))
                    )


def _written(options: Options) -> str:
    return json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
