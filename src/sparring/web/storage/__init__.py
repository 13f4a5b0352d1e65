"""Persistence: the database schema, its migrations, and all reading and writing.

`Database` (`database.py`) opens SQLite or PostgreSQL and stores tables; there is one store class for each other
subject. `schema.py` declares the tables, and `versions` holds the migrations. `GroupCommitWriter` queues writes and
commits several in one transaction.

What must hold:

* When an awaited write returns, it is on disk.
* A write is a function of a connection. It makes all its changes or raises StaleWrite before its first, since it
  shares a transaction with others.
* Rows that several writers change have an edition: a write names the edition that it has read.
* Names of tables and columns never change without a migration. Old databases are migrated when they are opened; a
  database of a newer version is refused.
* `personal_data_store.py` handles every column that refers to a person; a test finds others.
* A lease is a counter, not a time: an observer measures with its own clock how long the counter has stood still.
* Each picture is stored once per person, under its digest (`picture_store.py`).
"""

from .account_store import AccountStore, AlreadyTaken, LastSignInMethod, TicketUsed
from .ban_store import BanStore
from .chat_store import ChatStore
from .database import Database
from .friend_store import FriendStore, NoFriend
from .group_commit import StaleWrite, StoreError
from .lease_store import LeaseStore
from .mail_store import MailStore
from .notice_store import NoticeStore
from .notification_store import NotificationStore
from .outbox_store import OutboxStore
from .personal_data_store import PersonalDataStore
from .rate_limit_store import RateLimitStore, RateLimitUse
from .rating_store import RatingStore
from .recovery_store import RecoveryStore
from .replay_store import NoRecord, ReplayStore
from .result_store import ResultStore
from .set_store import NoSet, SetStore
from .streak_store import StreakStore
from .table_lists import ListStore
from .timer_store import TimerStore
from .token_store import TokenStore

__all__ = [
    "AccountStore",
    "AlreadyTaken",
    "BanStore",
    "ChatStore",
    "Database",
    "FriendStore",
    "LastSignInMethod",
    "LeaseStore",
    "ListStore",
    "MailStore",
    "NoFriend",
    "NoRecord",
    "NoSet",
    "NoticeStore",
    "NotificationStore",
    "OutboxStore",
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
    "StreakStore",
    "TicketUsed",
    "TimerStore",
    "TokenStore",
]  # fmt: skip
