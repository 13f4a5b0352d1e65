"""The settings of a server: their declaration, their sources, checks, and the file of its secrets; ids and refusals.

`server.py` declares the settings, and `limits.py` the limits among them. `sources.py` reads them from command options,
environment variables, a file, a profile or their defaults.
"""

from .limits import Limits
from .secrets import SECRET, FolderUnavailable, keep_secrets, read_secrets, rotate_secret
from .server import (
    PROFILES,
    RETIRED,
    SETTINGS,
    SETTINGS_FILE,
    SMTP_PORTS,
    JobsUnavailable,
    MailSettings,
    PushSettings,
    Settings,
    check_addresses,
    check_jobs,
    check_notifications,
    find_settings,
)
from .sources import FoundSetting, InvalidSettings

#: Seconds of a day.
DAY = 24 * 3600

__all__ = [
    "DAY", "PROFILES", "RETIRED", "SECRET", "SETTINGS", "SETTINGS_FILE", "SMTP_PORTS", "FolderUnavailable",
    "FoundSetting", "InvalidSettings", "JobsUnavailable", "Limits", "MailSettings", "PushSettings", "Settings",
    "check_addresses", "check_jobs", "check_notifications", "find_settings", "keep_secrets", "read_secrets",
    "rotate_secret",
]  # fmt: skip
