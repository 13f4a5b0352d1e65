"""The database schema, by subject.

Importing any row loads all subjects, so that SQLAlchemy and Alembic know every table of the database.
"""

from .base import *  # noqa: F403 - each subject's rows are listed once, where they are declared
from .people import *  # noqa: F403
from .studio import *  # noqa: F403
from .tables import *  # noqa: F403
