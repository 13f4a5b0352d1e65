"""Shared screens: which player's hand a device shows.

A person may hold several seats for friends at the same device. Their screen shows the spectators' view until one of
them taps their name. Then it shows that seat's view until another of their seats is asked, or theirs isn't any more.
Actions of other seats hide nothing, since that would reveal when they chose in secret. The shown seat's row stores it
(`Player.screen_asked`), so that it is the same in every process.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .players import Player


@dataclass(frozen=True)
class Viewer:
    """How a person sees a table."""

    #: The seat whose view is shown; 0 for the spectators' view.
    seat: int = 0
    #: All seats of the person.
    seats: tuple[int, ...] = ()
    #: Whether the person opened the table.
    host: bool = False
    #: Whether the host or a player has blocked the person: to them, every seat is taken.
    blocked: bool = False
    #: The seats that are kept for the person.
    offered: tuple[int, ...] = ()

    @property
    def shares(self) -> bool:
        """Return whether several players share this screen."""
        return len(self.seats) > 1

    def can_hand_to(self, turn_seat: int) -> tuple[int, ...]:
        """Return the seats the screen can be handed to while seat `asked` is to choose."""
        if not self.shares or not turn_seat:
            return ()
        return tuple(seat for seat in ((turn_seat,) if turn_seat in self.seats else self.seats) if seat != self.seat)


def turn_passed(players: Sequence[Player], turn_seat: int) -> tuple[Player, ...]:
    """Hide hands as needed when the turn passes to a seat."""

    def theirs(player: Player, seat: int) -> int:
        return seat if seat and players[seat - 1].person == player.person else 0

    def shown(seat: int, player: Player) -> Player:
        if player.screen_asked in (None, turn_seat):
            return player
        stays = theirs(player, turn_seat) in (seat, theirs(player, player.screen_asked or 0))
        return replace(player, screen_asked=turn_seat if stays else None)

    return tuple(shown(seat, player) for seat, player in enumerate(players, 1))
