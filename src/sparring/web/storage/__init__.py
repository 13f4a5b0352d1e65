"""Persistence: the database schema, its migrations, and all reading and writing."""

from .account_store import AccountStore, AlreadyTaken, LastSignInMethod
from .ban_store import BanStore
from .chat_store import ChatStore
from .database import Database
from .group_commit import StaleWrite, StoreError
from .lease_store import LeaseStore
from .notice_store import NoticeStore
from .personal_data_store import PersonalDataStore
from .rate_limit_store import RateLimitStore, RateLimitUse
from .rating_store import RatingStore
from .recovery_store import RecoveryStore
from .replay_store import NoRecord, ReplayStore
from .result_store import ResultStore
from .set_store import NoSet, SetStore
from .table_lists import ListStore
from .timer_store import TimerStore
from .token_store import TokenStore

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
