"""Where tables are kept: the schema, its migrations, and everything that is read and written."""

from .accounts import AccountStore, LastWay, Taken
from .allowances import AllowanceStore, Use
from .bans import BanStore
from .belongings import Belongings
from .leases import LeaseStore
from .lists import ListStore
from .notices import NoticeStore
from .ratings import RatingStore
from .recovery import RecoveryStore
from .replays import NoRecord, ReplayStore
from .results import ResultStore
from .sets import NoSet, SetStore
from .store import Store
from .talk import TalkStore
from .times import TimeStore
from .tokens import TokenStore
from .writer import Stale, StoreError

__all__ = [
    "AccountStore", "AllowanceStore", "BanStore", "Belongings", "LastWay", "LeaseStore", "ListStore", "NoRecord",
    "NoSet", "NoticeStore", "RatingStore", "RecoveryStore", "ReplayStore", "ResultStore", "SetStore", "Stale", "Store",
    "StoreError", "Taken", "TalkStore", "TimeStore", "TokenStore", "Use",
]  # fmt: skip
