"""Five Circles: packets, the points about to land on one character, and how its owner answers them (section 8)."""

from sparring.engine.rule import rule

from .state import ANSWER, AVOIDING
from .table import is_silent
from .using import can_use


@rule
def is_shielded(kit, s, card):
    """Whether nothing lands on this card: Serenity (R50), or its own Avoid Damage (R49)."""
    if s.serene >> (s.at[card] >> 6) & 1:
        return True
    return s.status[card] & AVOIDING != 0 and not is_silent(kit, s, card)


@rule
def aim(kit, s, card, points):
    """A packet comes upon a card. Whether its owner is asked; if not, it has landed or vanished (R37)."""
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
def land_packet(s):
    """What is left of the packet lands on the card it was aimed at."""
    s.damage[s.hit - 1] += s.packet
    s.kept = s.packet
    clear_packet(s)


@rule
def clear_packet(s):
    """There is no packet any more."""
    s.packet = 0
    s.hit = 0


@rule
def hand_on(kit, s, card):
    """One point of the packet goes to another card, as it is (Disperse, R48). Whether there are more."""
    s.packet -= 1
    if not is_shielded(kit, s, card):
        s.damage[card] += 1
    if s.packet == 0:
        s.kept = 0
        clear_packet(s)
        return False
    return True
