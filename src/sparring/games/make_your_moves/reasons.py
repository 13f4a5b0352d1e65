"""Make Your Moves: reasons to prefer one action to another."""

from collections.abc import Iterator
from sparring.engine.cards import in_order, put
from sparring.engine.game import Box

from . import state as S
from .components import card, powers
from .kit import BLUE, CARDS, COLOURS, GREEN, RED, WILD, YELLOW
from .moves import count_defence, count_in, fits_attacker, fits_defender


def reasons_for(box: Box, s: S.State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    of_phase = REASONS.get(int(s.phase))
    return list(of_phase(box, s, action, other)) if of_phase else []


def _card_of(action: int) -> int | None:
    return action - S.CARD if S.CARD <= action < S.CARD + CARDS else None


def _target(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    if not (S.SEAT <= action < S.SEAT + S.SEATS and S.SEAT <= other < S.SEAT + S.SEATS):
        return
    here, there = (int(s.hand[number - S.SEAT, 0]) for number in (action, other))
    if here < there:
        yield (
            f"Seat {action - S.SEAT + 1} has {here} {'card' if here == 1 else 'cards'} to defend with, "
            f"Seat {other - S.SEAT + 1} has {there}."
        )


def _attack(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    played, kept = _card_of(action), _card_of(other)
    if played is None:
        yield from _keep(box, s, None, kept)
        return
    one, total = card(box, played), sum(powers(box, s.attack))
    if kept is None:
        yield f"{one.name} raises your attack from {total} to {total + one.power}."
        return
    yield from _keep(box, s, played, kept)
    another = card(box, kept)
    if one.power > another.power:
        yield f"{one.name} adds {one.power}, {another.name} only {another.power}."
    elif one.power < another.power:
        yield f"Keep {another.name}, your stronger card, for later."


def _response(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    played, kept = _card_of(action), _card_of(other)
    attack, defence = sum(powers(box, s.attack)), sum(powers(box, s.defence))
    alone = count_in(s) == 2
    if action == S.COUNTER:
        yield "A Counter stops the attack and gives you control."
    elif action == S.DODGE:
        yield "A Dodge sends the attack to another player."
    elif played is not None:
        one, trial = card(box, played), s.copy()
        total = defence + one.power
        count_defence(box.kit, trial, played)
        put(trial.defence, played)
        trial.hand[s.player, 0] = 0
        for number in in_order(s.hand[s.player]):
            if number != played:
                put(trial.hand[s.player], number)
        if total >= attack:
            helped = "" if alone else " if no one helps"
            yield f"With {one.name} you have {total} against {attack}: {achieved(box, total - attack)}{helped}."
        elif (reached := best_defence(box, trial)) >= attack:
            yield f"{one.name} makes it {total} against {attack}, and your cards can bring it to {reached}."
        yield from _keep(box, s, played, kept)
    elif best_defence(box, s) < attack:
        alone_words = "" if alone else " alone"
        yield f"Your cards{alone_words} can't stop an attack of {attack}: they come to {best_defence(box, s)} at most."
    elif defence >= attack + 2 and alone:
        yield f"You have {defence} against {attack}: nothing more to gain."
    else:
        yield from _keep(box, s, None, kept)


def _assist(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    if action == S.SKIP:
        yield from _keep(box, s, None, _card_of(other))


def _discard(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    played, kept = _card_of(action), _card_of(other)
    yield from _keep(box, s, played, kept)
    if played is not None and card(box, played).power == 1:
        yield f"{card(box, played).name} has a power of only 1; the card you draw for it may be stronger."
    if kept is not None and card(box, kept).power == 3:
        yield f"Keep {card(box, kept).name}: no card has more power."


def _keep(box: Box, s: S.State, played: int | None, kept: int | None) -> Iterator[str]:
    """Say what a card in hand is needed for, unless the card played instead is needed for the same."""
    if kept is None:
        return
    one = card(box, kept)
    if played is not None and card(box, played).colour == one.colour:
        return
    same = sum(card(box, number).colour == one.colour for number in in_order(s.hand[s.player]))
    if same == 4:
        yield f"Keep {one.name}: your four {one.colour} cards can counter an attack."
    elif one.colour == COLOURS[WILD]:
        yield f"Keep {one.name}: a Wild fits any defence."
    elif same == 1:
        yield f"Keep {one.name}: you have no other {one.colour} card to defend with."


#: The reasons of each phase that has any.
REASONS = {
    S.TARGET: _target, S.DODGE_TO: _target, S.ATTACK: _attack, S.RESPOND: _response, S.DISCARD: _discard,
    S.ASSIST_CARD: _assist,
}  # fmt: skip


# What cards can still change


def achieved(box: Box, margin: int) -> str:
    """Return what a defence that is higher by `margin` achieves."""
    if margin == 0:
        return "enough to block"
    if margin == 1:
        return "enough to take control"
    return f"enough to take control and {'score' if box.options['match'] == 'points' else 'do damage'}"


def best_defence(box: Box, s: S.State) -> int:
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


def can_decide(box: Box, s: S.State) -> bool:
    """Return whether a card in a bystander's hand can change who scores or who has control."""
    margin = sum(powers(box, s.defence, s.help_defence)) - sum(powers(box, s.attack, s.help_attack))
    return any(
        (fits_attacker(box.kit, s, n) and _result(margin - card(box, n).power) != _result(margin))
        or (fits_defender(box.kit, s, n) and _result(margin + card(box, n).power) != _result(margin))
        for n in in_order(s.hand[s.player])
    )


def _result(margin: int) -> int:
    """Return the margin, capped so that equal numbers mean the same point and control."""
    return max(-1, min(2, margin))
