"""Add recovery codes, ended sessions, and opponents and networks for ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0019"
branch_labels = None
depends_on = None

#: An existing rating with at least this many opponents and a lower sigma is no longer provisional.
OPPONENTS, SIGMA = 5, 200.5 / 48


def upgrade() -> None:
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_index("ix_recovery_codes_person", "recovery_codes", ["person"])
    op.create_table(
        "ended_sessions",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("session", sa.String(24), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_ended_sessions_until", "ended_sessions", ["until"])
    op.create_table(
        "opponents",
        sa.Column("variant", sa.String(16), sa.ForeignKey("variants.id"), primary_key=True),
        sa.Column("player", sa.String(80), primary_key=True),
        sa.Column("opponent", sa.String(80), primary_key=True),
    )
    op.create_index("ix_opponents_player", "opponents", ["player"])
    op.create_index("ix_opponents_opponent", "opponents", ["opponent"])
    op.add_column("seats", sa.Column("network", sa.String(32)))
    op.create_index("ix_seats_network", "seats", ["network"])
    op.add_column("ratings", sa.Column("opponents", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("ratings", sa.Column("established", sa.Boolean, nullable=False, server_default=sa.false()))
    op.drop_index("ix_ratings_sure", "ratings")
    op.create_index("ix_ratings_rank", "ratings", ["variant", "established", "sure"])
    _count_opponents()


def _count_opponents() -> None:
    """Fill in the opponents of existing ratings from stored results."""
    names = ("table", "variant", "player", "mu")
    results = sa.table("results", *map(sa.column, names))
    opponents = sa.table("opponents", *map(sa.column, ("variant", "player", "opponent")))
    ratings = sa.table(
        "ratings", *map(sa.column, ("variant", "player", "sigma", "opponents")), sa.column("established", sa.Boolean)
    )
    one, other = results.alias("one"), results.alias("other")
    met = (
        sa.select(one.c.variant, one.c.player, other.c.player)
        .join(other, sa.and_(other.c.table == one.c.table, other.c.player != one.c.player))
        .where(one.c.mu.is_not(None), one.c.player.is_not(None), other.c.player.is_not(None))
        .distinct()
    )
    op.execute(opponents.insert().from_select(["variant", "player", "opponent"], met))
    theirs = sa.and_(opponents.c.variant == ratings.c.variant, opponents.c.player == ratings.c.player)
    many = sa.select(sa.func.count()).select_from(opponents).where(theirs).scalar_subquery()
    op.execute(ratings.update().values(opponents=many))
    enough = sa.and_(ratings.c.opponents >= OPPONENTS, ratings.c.sigma < SIGMA)
    op.execute(ratings.update().where(enough).values(established=sa.true()))


def downgrade() -> None:
    op.drop_index("ix_ratings_rank", "ratings")
    op.create_index("ix_ratings_sure", "ratings", ["variant", "sure"])
    op.drop_column("ratings", "established")
    op.drop_column("ratings", "opponents")
    op.drop_index("ix_seats_network", "seats")
    op.drop_column("seats", "network")
    for table in ("opponents", "ended_sessions", "recovery_codes"):
        op.drop_table(table)
