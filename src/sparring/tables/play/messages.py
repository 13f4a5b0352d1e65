"""Messages to people who are away: "your turn" in matches with days per turn, and invitations.

They are only written to the outbox here; `people/notifications.py` sends them. A turn's is written in the transaction
of the choice that begins it, so that no table waits for a mail server.
"""

from collections.abc import Iterable
from functools import partial

from sparring.settings import Settings
from sparring.store.group_commit import Work
from sparring.store.notifications import OutboxStore, notify
from sparring.tables.state.table import Table


class OutgoingMessages:
    """Notifications from the tables of a server."""

    def __init__(self, settings: Settings, outbox: OutboxStore) -> None:
        self._settings, self._outbox = settings, outbox
        self._channels = [channel for channel, on in (("mail", settings.mail.on), ("push", settings.push.on)) if on]

    def turn(self, table: Table, seat: int | None, present: set[str]) -> Work | None:
        """Return the write that tells the next player of a match with days per turn; None if no one needs to be told.

        `seat` is the seat whose turn it will be; None if the match ends. People in `present` see the table anyway.
        """
        if not (self._channels and seat) or table.bot_at(seat):
            return None
        person, due = table.players[seat - 1].person, self._due(self._settings.notify_after)
        if not person or person in present:
            return None
        return partial(notify, people=[person], kind="turn", channels=self._channels, table=table.id, due=due)

    def invitation(self, people: Iterable[str], inviter: str, table: str) -> Work | None:
        """Return the write that tells people that someone invites them to a table; `inviter` is the name that they see.

        None if no one needs to be told.
        """
        invited = set(people)
        if not (self._channels and invited):
            return None
        return partial(
            notify, people=invited, kind="invitation", channels=self._channels, table=table, due=self._due(0),
            text=inviter,
        )  # fmt: skip

    async def invite(self, people: Iterable[str], inviter: str, table: str) -> None:
        """Tell people that someone invites them to a table."""
        if message := self.invitation(people, inviter, table):
            await self._outbox.notify(message)

    def _due(self, seconds: float) -> int:
        return int(1000 * (self._settings.now() + seconds))
