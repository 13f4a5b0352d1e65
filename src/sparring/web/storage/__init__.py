"""Where tables are kept: the schema, its migrations, and everything that is read and written."""

from .store import Store
from .writer import Stale, StoreError

__all__ = ["Stale", "Store", "StoreError"]
