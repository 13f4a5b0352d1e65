"""Where tables are kept: the schema, its migrations, and everything that is read and written."""

from .store import Stale, Store, StoreError

__all__ = ["Stale", "Store", "StoreError"]
