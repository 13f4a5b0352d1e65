"""Bans and mutes as they are stored: the key, the end and the reason."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime

#: The prefixes of banned and of muted people in the list.
BANNED_PERSON, MUTED_PERSON = "person ", "muted "


@dataclass(frozen=True)
class Ban:
    """A ban or a mute: until when (seconds since 1970; None for ever), and the reason that the person reads."""

    until: int | None = None
    why: str = ""

    @property
    def in_force(self) -> bool:
        """Return whether the ban is in force."""
        return self.until is None or self.until > time.time()

    @property
    def terms(self) -> str:
        """Return the end and the reason, as a sentence ends."""
        until = "" if self.until is None else f" until {datetime.fromtimestamp(self.until, UTC):%d %B %Y, %H:%M} UTC"
        return f"{until}{f': {self.why}' if self.why else ''}."


def key(person: str = "", address: str = "", *, muted: bool = False) -> str:
    """Return the key of a person or a network in the list."""
    return f"{MUTED_PERSON if muted else BANNED_PERSON}{person}" if person else f"from {address}"


def sentence(who: str, ban: Ban) -> str:
    """Return what the person with a key reads."""
    what = "can't chat on" if who.startswith(MUTED_PERSON) else "are banned from"
    return f"You {what} this server{ban.terms}"
