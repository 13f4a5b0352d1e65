"""Five Circles: packets, the points about to land on one character, and how its owner responds to them (section 8)."""

from sparring.engine.rule import rule

from .options import Params
from .state import ANSWER, AVOIDING, State
from .table import is_silent
from .using import can_use


@rule
def is_shielded(kit: Params, s: State, card: int) -> bool:
    """Return whether no damage lands on this card: Serenity (R50), or its own Avoid Damage (R49)."""
    if s.serene >> (s.at[card] >> 6) & 1:
        return True
    return s.status[card] & AVOIDING != 0 and not is_silent(kit, s, card)


@rule
def aim_packet(kit: Params, s: State, card: int, points: int) -> bool:
    """Aim a packet at a card; return whether its owner can respond. If not, it has landed or vanished (R37)."""
    s.kept = 0
    if points <= 0 or is_shielded(kit, s, card):
        return False
    s.packet = points
    s.hit = card + 1
    seat = s.at[card] >> 6
    if can_use(kit, s, seat, ANSWER):
        s.phase = ANSWER
        s.player = seat
        return True
    land_packet(s)
    return False


@rule
def land_packet(s: State) -> None:
    """Land what is left of the packet on the card it was aimed at."""
    s.damage[s.hit - 1] += s.packet
    s.kept = s.packet
    clear_packet(s)


@rule
def clear_packet(s: State) -> None:
    """Remove the packet."""
    s.packet = 0
    s.hit = 0


@rule
def move_point(kit: Params, s: State, card: int) -> bool:
    """Move one point of the packet to another card, unreduced (Disperse, R48); return whether any are left."""
    s.packet -= 1
    if not is_shielded(kit, s, card):
        s.damage[card] += 1
    if s.packet == 0:
        s.kept = 0
        clear_packet(s)
        return False
    return True
