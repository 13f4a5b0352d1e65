"""Make Your Moves: prompts for the seat that chooses, with the totals and what its cards can still change."""

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import Voice, listed

from .components import card, powers
from .kit import BLUE, COLOURS, GREEN, KEEP, RED, WILD, YELLOW, Params
from .moves import count_in, fits_attacker, fits_defender, next_in
from .state import State


def ask_to_defend(box: Box, s: State, voice: Voice) -> str:
    """Return both totals, and whether the cards in hand can block the attack at all."""
    attack, own, best = sum(powers(box, s.attack)), sum(powers(box, s.defence)), best_defence(box, s)
    attacks = f"{voice.name(int(s.attacker))} attacks with {attack}"
    if not s.defence[0]:
        if not best:
            return f"{attacks}. None of your cards can defend."
        colours = [word for i, word in enumerate(COLOURS) if s.attack_colours >> i & 1]
        without = " without help" if count_in(s) > 2 else ""
        warning = "" if best >= attack else f" Your best is {best}: not enough to block{without}."
        return f"{attacks}. Defend with {listed([*colours, COLOURS[WILD]])} cards, or don't defend.{warning}"
    missing = attack - own
    if missing > 0:
        added = f"can add only {best - own}" if best > own else "can't add any"
        limit = f", but your cards {added}" if best < attack else ""
        return f"{attacks}; you have {own} and need {missing} more to block{limit}."
    return f"{attacks}; you have {own}: {achieved(box, -missing)}."


def achieved(box: Box, margin: int) -> str:
    """Return what a defence that is higher by `margin` achieves."""
    if margin == 0:
        return "enough to block"
    if margin == 1:
        return "enough to take control"
    return f"enough to take control and {'score' if box.options['match'] == 'points' else 'do damage'}"


def best_defence(box: Box, s: State) -> int:
    """Return the highest total the Defender can reach: the cards played plus the best ones in hand (R10 to R14)."""
    held = [card(box, n) for n in in_order(s.hand[s.defender])]
    total, units = sum(powers(box, s.defence)), list[int]()
    for number in (RED, GREEN, BLUE, YELLOW):
        if not s.attack_colours >> number & 1:
            continue
        own = [one.power for one in held if one.colour == COLOURS[number]]
        units += [power for power in own if power > 1]
        if s.single_colours >> number & 1:
            total += own.count(1)
        elif 1 in own:
            units.append(own.count(1))
    wilds = sorted((one.power for one in held if one.colour == COLOURS[WILD]), reverse=True)
    if box.options["defence_wilds"] == "one":
        wilds = wilds[: 0 if s.wilds else 1]
    room = max(0, int(s.ceiling) - int(s.units))
    return total + sum(sorted(units, reverse=True)[:room]) + sum(wilds)


def ask_to_help(box: Box, s: State) -> str:
    """Return both totals, and whether any card in hand can change the result."""
    attack, defence = sum(powers(box, s.attack, s.help_attack)), sum(powers(box, s.defence, s.help_defence))
    result, kit = _result(defence - attack), box.kit
    changes = any(
        (fits_attacker(kit, s, n) and _result(defence - attack - card(box, n).power) != result)
        or (fits_defender(kit, s, n) and _result(defence - attack + card(box, n).power) != result)
        for n in in_order(s.hand[s.player])
    )
    useless = "" if changes else " None of your cards would change the result."
    return f"Attack {attack}, defence {defence}: play a card to help one side, or stay out.{useless}"


def _result(margin: int) -> int:
    """Return the margin, capped so that equal numbers mean the same point and control."""
    return max(-1, min(2, margin))


def ask_for_target(kit: Params, s: State, voice: Voice) -> str:
    """Return the request for a target, and who has control after a pass."""
    question = "You are in control. Choose a target."
    if not kit.pass_attack:
        return question
    if kit.pass_attack == KEEP:
        return f"{question} If you pass, you stay in control."
    return f"{question} If you pass, control goes to {voice.whom(int(next_in(s, s.control)))}."
