"""Where tables are kept: the schema, its migrations, and everything that is read and written."""

from .sets import NoSet, SetStore
from .store import Store
from .writer import Stale, StoreError

__all__ = ["NoSet", "SetStore", "Stale", "Store", "StoreError"]
