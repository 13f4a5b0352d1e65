"""Make Your Moves: what a seat is asked, with the numbers that decide; what cannot help is said before it is laid."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import Voice, listed

from . import state as R
from .kit import BLUE, COLOURS, GREEN, RED, WILD, YELLOW
from .moves import fits_attacker, fits_defender, still_in
from .telling import card, powers


def defend(box: Box, s: Any, voice: Voice) -> str:
    """How the defence stands, and whether the cards in hand can hold at all."""
    attack, mine, most = sum(powers(box, s.attack)), sum(powers(box, s.defence)), best_defence(box, s)
    attacked = listed([word for i, word in enumerate(COLOURS) if s.attack_colours >> i & 1], "or")
    who = f"{voice.name(int(s.attacker))} attacks with {attack}"
    alone = " without help" if still_in(s) > 2 else ""
    if not s.defence[0]:
        if not most:
            return f"{who}. None of your cards can defend."
        holds = "" if most >= attack else f" Your cards come to {most} at most, which does not block it{alone}."
        return f"{who}. Defend with {attacked}, Wilds too, or lay nothing.{holds}"
    need = attack - mine
    if need > 0:
        adds = f", your cards add {most - mine} at most" if most < attack else ""
        return f"{who}, you hold {mine}: {need} more to block{adds}."
    return f"{who}, you hold {mine}: {'that blocks it' if need == 0 else 'that takes control'}."


def best_defence(box: Box, s: Any) -> int:
    """The most that a Defender can lay: what lies there, and the best of the hand that may join it (R10 to R14)."""
    held = [card(box, n) for n in in_order(s.hand[s.defender])]
    free, units = sum(powers(box, s.defence)), list[int]()
    for number in (RED, GREEN, BLUE, YELLOW):
        if not s.attack_colours >> number & 1:
            continue
        mine = [one.power for one in held if one.colour == COLOURS[number]]
        units += [power for power in mine if power > 1]
        if s.single_colours >> number & 1:
            free += mine.count(1)
        elif 1 in mine:
            units.append(mine.count(1))
    wilds = sorted((one.power for one in held if one.colour == COLOURS[WILD]), reverse=True)
    if box.options["defence_wilds"] == "one":
        wilds = wilds[: 0 if s.wilds else 1]
    room = max(0, int(s.ceiling) - int(s.units))
    return free + sum(sorted(units, reverse=True)[:room]) + sum(wilds)


def help_a_side(box: Box, s: Any) -> str:
    """What the sides come to, and whether any card in hand can change how it ends."""
    attack, defence = sum(powers(box, s.attack, s.help_attack)), sum(powers(box, s.defence, s.help_defence))
    as_it_stands, kit = _verdict(defence - attack), box.kit
    changes = any(
        (fits_attacker(kit, s, n) and _verdict(defence - attack - card(box, n).power) != as_it_stands)
        or (fits_defender(kit, s, n) and _verdict(defence - attack + card(box, n).power) != as_it_stands)
        for n in in_order(s.hand[s.player])
    )
    useless = "" if changes else " No card of yours changes how that ends."
    return f"{attack} against {defence}: help one side with a card, or stay out of it.{useless}"


def _verdict(margin: int) -> int:
    """Who gets what: the same number, the same end."""
    return max(-1, min(2, margin))


def attack_or_pass(s: Any, voice: Voice, may_pass: bool) -> str:
    """Whom to attack, and what passing gives away."""
    asked = "You are in control. Whom do you attack?"
    if not may_pass:
        return asked
    after = next(seat for i in range(1, R.SEATS + 1) if not s.out[seat := (int(s.control) + i) % int(s.seats)])
    return f"{asked} If you pass, control goes to {voice.whom(after)}."
