"""Persistence: the database schema, its migrations, and all reading and writing.

`Database` (`database.py`) opens SQLite or PostgreSQL and stores tables; there is one store class for each other
subject, in a package with others like it. `schema` declares the tables. `migrations.py` runs the migrations in
`versions`. `GroupCommitWriter` queues writes and commits several in one transaction.

What must hold:

* When an awaited write returns, it is on disk.
* A write is a function of a connection. It makes all its changes or raises StaleWrite before its first, since it
  shares a transaction with others.
* Rows that several writers change have an edition: a write names the edition that it has read.
* Names of tables and columns never change without a migration. Old databases are migrated when they are opened; a
  database of a newer version is refused.
* `accounts/personal_data_store.py` handles every column that refers to a person; a test finds others.
* A lease is a counter, not a time: an observer measures with its own clock how long the counter has stood still.
* Each picture is stored once per person, under its digest (`studio/picture_store.py`).
"""

from .accounts.account_store import AccountStore, AlreadyTaken, LastSignInMethod, TicketUsed
from .accounts.mail_store import MailStore
from .accounts.personal_data_store import PersonalDataStore
from .accounts.recovery_store import RecoveryStore
from .accounts.streak_store import StreakStore
from .accounts.token_store import TokenStore
from .ban_store import BanStore
from .cluster.lease_store import LeaseStore
from .cluster.notice_store import NoticeStore
from .cluster.process_report_store import ProcessReportStore
from .cluster.rate_limit_store import RateLimitStore, RateLimitUse
from .database import AlreadyCreated, Database, NoDatabase
from .friends.challenge_store import ChallengeStore
from .friends.friend_store import FriendStore, NoFriend
from .group_commit import StaleWrite, StoreError
from .moderation_store import ModerationStore
from .notifications.notification_store import NotificationStore
from .notifications.outbox_store import OutboxStore
from .ratings.rating_store import RatingStore
from .ratings.result_store import ResultStore
from .replay_store import NoRecord, ReplayStore
from .studio.set_store import NoSet, SetStore
from .tables.chat_store import ChatStore
from .tables.half_store import HalfStore
from .tables.line_store import LineStore
from .tables.table_lists import ListStore
from .tables.timer_store import TimerStore

__all__ = [
    "AccountStore",
    "AlreadyCreated",
    "AlreadyTaken",
    "BanStore",
    "ChallengeStore",
    "ChatStore",
    "Database",
    "FriendStore",
    "HalfStore",
    "LastSignInMethod",
    "LeaseStore",
    "LineStore",
    "ListStore",
    "MailStore",
    "ModerationStore",
    "NoDatabase",
    "NoFriend",
    "NoRecord",
    "NoSet",
    "NoticeStore",
    "NotificationStore",
    "OutboxStore",
    "PersonalDataStore",
    "ProcessReportStore",
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
