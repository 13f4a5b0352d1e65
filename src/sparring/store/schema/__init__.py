"""The database schema, by subject.

Importing any row loads all subjects, so that SQLAlchemy and Alembic know every table of the database.
"""

from .accounts import (
    AccountRow,
    AddressRow,
    BanRow,
    EndedSessionRow,
    MailTokenRow,
    ModerationRow,
    PasskeyRow,
    PreferenceRow,
    RecoveryRow,
    StreakRow,
    TokenRow,
    UsedTicketRow,
)
from .base import Base
from .chat import ApplauseRow, ChatLineRow, MuteRow, ReportRow
from .cluster import NoticeRow, ProcessReportRow, RateLimitRow, ServerIdRow, ServerRow
from .friends import ChallengeRow, FriendshipRow, LastSeenRow
from .notifications import NotificationChoiceRow, OutboxRow, PushDeviceRow, PushKeyRow
from .ratings import OpponentRow, RatingRow, ResultRow, VariantRow
from .replays import RecordRow, ReviewRow
from .studio import PictureRow, PictureUseRow, SetRow, VersionRow
from .tables import CheckpointRow, ContentRow, HalfInvitationRow, HeartbeatRow, SeatRow, ServerDayRow, TableRow

__all__ = [
    "AccountRow",
    "AddressRow",
    "ApplauseRow",
    "BanRow",
    "Base",
    "ChallengeRow",
    "ChatLineRow",
    "CheckpointRow",
    "ContentRow",
    "EndedSessionRow",
    "FriendshipRow",
    "HalfInvitationRow",
    "HeartbeatRow",
    "LastSeenRow",
    "MailTokenRow",
    "ModerationRow",
    "MuteRow",
    "NoticeRow",
    "NotificationChoiceRow",
    "OpponentRow",
    "OutboxRow",
    "PasskeyRow",
    "PictureRow",
    "PictureUseRow",
    "PreferenceRow",
    "ProcessReportRow",
    "PushDeviceRow",
    "PushKeyRow",
    "RateLimitRow",
    "RatingRow",
    "RecordRow",
    "RecoveryRow",
    "ReportRow",
    "ResultRow",
    "ReviewRow",
    "SeatRow",
    "ServerDayRow",
    "ServerIdRow",
    "ServerRow",
    "SetRow",
    "StreakRow",
    "TableRow",
    "TokenRow",
    "UsedTicketRow",
    "VariantRow",
    "VersionRow",
]
