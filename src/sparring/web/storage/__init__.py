"""Where tables are kept: the schema, its migrations, and everything that is read and written."""

from .accounts import AccountStore, AlreadyTaken, LastSignInMethod
from .allowances import RateLimitStore, RateLimitUse
from .bans import BanStore
from .belongings import PersonalDataStore
from .leases import LeaseStore
from .lists import ListStore
from .notices import NoticeStore
from .ratings import RatingStore
from .recovery import RecoveryStore
from .replays import NoRecord, ReplayStore
from .results import ResultStore
from .sets import NoSet, SetStore
from .store import Database
from .talk import ChatStore
from .times import TimerStore
from .tokens import TokenStore
from .writer import StaleWrite, StoreError

__all__ = [
    "AccountStore",
    "AlreadyTaken",
    "BanStore",
    "ChatStore",
    "Database",
    "LastSignInMethod",
    "LeaseStore",
    "ListStore",
    "NoRecord",
    "NoSet",
    "NoticeStore",
    "PersonalDataStore",
    "RateLimitStore",
    "RateLimitUse",
    "RatingStore",
    "RecoveryStore",
    "ReplayStore",
    "ResultStore",
    "SetStore",
    "StaleWrite",
    "StoreError",
    "TimerStore",
    "TokenStore",
]  # fmt: skip
