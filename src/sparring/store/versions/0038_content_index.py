"""Find the tables of a content file by an index, so that unused files are deleted quickly."""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_tables_content", "tables", ["content"])


def downgrade() -> None:
    op.drop_index("ix_tables_content", "tables")
