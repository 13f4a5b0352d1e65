"""MACE: what has happened, as log sentences for a seat, as effects, and as the areas about an attack."""

from collections.abc import Callable

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import Banner, Card, Effect, Group, Layout, Row, Stroke, win_effects
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from .components import face, hexes_counted, named, place
from .phases import PHASES
from .state import (
    ACTIONS, BLAST_CARD, DEFENCE, DODGE_MOVE, DROP_CHARGE, FORFEIT, LAST_ONE_IN, MOST_CARDS, NO_SEAT, PAY, TARGET,
    State,
)  # fmt: skip


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the cards it drew, and the result of the beat."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    if seat >= 0:
        held = in_order(before.hand[seat])
        drawn = [card for card in in_order(after.hand[seat]) if card not in held]
        lines += [AsideLine("You draw", named(box, card)) for card in drawn]
    if beat in RESULTS:
        lines.append(RESULTS[beat](box, before, after, voice))
    if after.over:
        lines.append(ResultLine(ending(after, seat)))
    return lines


def knock_path(s: State, radius: int) -> list[int]:
    """Return the hexes of the last Knockback, or nothing if the Fighter has moved since."""
    path = [int(s.knock_start)]
    for _ in range(s.knock_length):
        if path[-1] == s.at[s.knocked]:
            break
        there = int(hexes.beyond(s.knock_source, s.knock_start, path[-1], radius))
        if there == hexes.NOWHERE:
            break
        path.append(there)
    return path if path[-1] == s.at[s.knocked] else []


# Results, by beat


def _new_round(box: Box, before: State, after: State, voice: Voice) -> str:
    order = [f"{voice.whom(seat)} ({named(box, int(after.momentum[seat]))})" for seat in in_order(after.order)]
    return TurnLine(f"Round {after.rounds}: {', then '.join(order)}.")


def _round_over(box: Box, before: State, after: State, voice: Voice) -> str:
    if after.hurt:
        return f"Round {after.rounds} is over."
    quiet = f"quiet Round {after.quiet + 1} of {box.options['stall_rounds']}, after which the Combat ends"
    return f"Round {after.rounds} is over: no Damage ({quiet})."


def _compared(box: Box, before: State, after: State, voice: Voice) -> str:
    """Return attack and defence in numbers; against a Dodge, both its players read their own number first."""
    target, damage, block = int(after.target), f"{after.damage} Damage", _defence(after)
    if block == "block":
        line = f"{damage if after.damage else 'No Damage'} ({after.attack} − {after.defence})."
    elif block == "dodge":
        own, other = after.defence, after.attack
        if voice.seat == after.active:
            own, other = other, own
        outcome = f"the Dodge fails; {damage}" if after.damage else "dodged"
        whose = "Your " if voice.seat in (after.active, target) else ""
        line = f"{whose}{own} against {other}: {outcome}."
    elif after.down[target]:
        line = f"{voice.does(target, 'are', 'is')} Down and can't defend: {damage}."
    else:
        line = f"{voice.does(target, 'take', 'takes')} {damage}."
    return ResultLine(line, hit=bool(after.damage))


def _paid(box: Box, before: State, after: State, voice: Voice) -> str:
    target = int(after.target)
    return f"Damage paid: {voice.then(target, 'have', 'has')} {counted(int(after.hand[target, 0]), 'card')} left."


def _knocked_back(box: Box, before: State, after: State, voice: Voice) -> str:
    target, length = int(after.knocked), int(after.knock_length)
    travelled = len(knock_path(after, int(box.kit.radius))) - 1
    half = f"half of {after.damage} Damage"
    if travelled == length:
        return f"{voice.does(target, 'are', 'is')} knocked back {hexes_counted(length)}, {half}."
    pushed = f"{travelled} of {hexes_counted(length)} ({half})"
    return (
        f"{voice.does(target, 'are', 'is')} knocked back {pushed}: {_obstacle(after, box)} stops {voice.whom(target)}."
    )


def _obstacle(s: State, box: Box) -> str:
    """Return what stops a Knockback: the edge, a Fighter, or its Reach (option `knockback_reach`)."""
    radius, end = int(box.kit.radius), int(s.at[s.knocked])
    there = int(hexes.beyond(s.knock_source, s.knock_start, end, radius))
    if there == hexes.NOWHERE:
        return "the edge of the board"
    taken = any(s.at[seat] == there and not s.out[seat] for seat in range(int(s.seats)))
    return "another Fighter" if taken else "another Fighter's Reach"


def _went_down(box: Box, before: State, after: State, voice: Voice) -> str:
    target, length = int(after.target), int(after.knock_length)
    held = counted(int(after.hand[target, 0]), "card")
    misses = f"{voice.then(target, 'miss', 'misses')} the next Turn and can't defend until then"
    return ResultLine(f"{voice.does(target, 'go', 'goes')} Down (Knockback {length}, only {held} left): {misses}.")


def _knocked_out(box: Box, before: State, after: State, voice: Voice) -> str:
    loser = next(seat for seat in range(int(after.seats)) if after.out[seat] and not before.out[seat])
    if before.phase == FORFEIT:
        return ResultLine(f"{voice.does(loser, 'forfeit', 'forfeits')} and {voice.verb(loser, 'are', 'is')} out.")
    return ResultLine(
        f"{voice.does(loser, 'have', 'has')} no cards left and {voice.verb(loser, 'are', 'is')} Knocked Out."
    )


def _up_again(box: Box, before: State, after: State, voice: Voice) -> str:
    seat = next(seat for seat in range(int(after.seats)) if before.down[seat] and not after.down[seat])
    return f"{voice.does(seat, 'miss', 'misses')} a Turn and {voice.verb(seat, 'get', 'gets')} back up."


def _reshuffled(box: Box, before: State, after: State, voice: Voice) -> str:
    return AsideLine("The discard pile is shuffled into a new deck.")


#: The sentence for a beat besides the choice; a lost Charge is in the choice itself.
RESULTS: dict[str, Callable[[Box, State, State, Voice], str]] = {
    "round": _new_round, "compared": _compared, "paid": _paid, "knocked back": _knocked_back, "down": _went_down,
    "out": _knocked_out, "up again": _up_again, "round over": _round_over, "reshuffled": _reshuffled,
}  # fmt: skip


def ending(s: State, seat: int) -> str:
    """Return how the Combat ended, as `seat` reads it."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if not s.out[i] and s.payoff[i] >= 0]
    if s.ending == LAST_ONE_IN:
        return f"{voice.does(winners[0], 'win', 'wins')}: last Fighter standing."
    if s.ending == MOST_CARDS:
        return f"{voice.does(winners[0], 'win', 'wins')} the stalled Combat with the most cards in hand."
    return f"The Combat has stalled: a draw between {listed([voice.whom(i) for i in winners])}."


# The effects of a beat on the objects on the table


def effects(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: moves, an attack at its target, a Knockback, a Fighter Down or out, the winner."""
    seats = range(int(after.seats))
    match beat:
        case "compared":
            attack, defended = _attack(after), _defence(after) in ("block", "dodge")
            totals = (int(after.attack), int(after.defence)) if defended else ()
            clash = Effect("clash", attack.source, attack.target, 1 if attack.kind == "hit" else -1, totals)
            return [attack] if after.blasting and not defended else [clash, attack]
        case "knocked back":
            return [Effect("move", _fighter(int(after.active)), _fighter(int(after.knocked)))]
        case "down":
            return [Effect("hit", target=_fighter(int(after.target)))]
        case "out":
            return [Effect("hit", target=_fighter(i)) for i in seats if after.out[i] and not before.out[i]]
    if after.over:
        return win_effects(after)
    return [Effect("move", target=_fighter(i)) for i in seats if not after.out[i] and after.at[i] != before.at[i]]


def _fighter(seat: int) -> str:
    return f"fighter {seat}"


def _attack(s: State) -> Effect:
    """Return the effect of an attack: the Damage that is left, a Block that stops it, or a Dodge."""
    ends, damage = (_fighter(int(s.active)), _fighter(int(s.target))), int(s.damage)
    stopped = "block" if _defence(s) == "block" else "miss"
    return Effect("hit" if damage else stopped, *ends, damage)


def _defence(s: State) -> str:
    """Return how the target defends: `block`, `dodge`, `take`, or something else if it can't."""
    return ACTIONS.name_of(int(s.defence_by))[0]


# The areas on the table about an attack


class Exchange(Layout[State]):
    """The cards of attack and defence, the comparison of both, and what is under way."""

    def fight(self) -> tuple[Group, ...]:
        """Return the cards of attack and defence, which stay face up beside the board until the attack is over.

        By the rules they may be in the discard pile already (option `discard_timing`).
        """
        attack, defence = self.attack_cards(), self.defence_cards()
        if not attack:
            return ()
        active, target = int(self.s.active), int(self.s.target)
        rows = [self.fight_row("attack", active, *self.attack_verb(), attack)]
        if defence:
            block = _defence(self.s)
            rows.append(self.fight_row("defence", target, block, f"{block}s", defence))
        return (Group(tuple(rows)),)

    def attack_verb(self) -> tuple[str, str]:
        """Return what the attacker does, said to that player and to others."""
        return ("blast", "blasts") if self.s.blasting else ("strike", "strikes")

    def fight_row(self, key: str, i: int, yours: str, theirs: str, numbers: tuple[int, ...]) -> Row:
        """Return one side's cards in an attack. A card may be in this seat's hand again after a reshuffle."""
        origin = "hand" if i == self.seat else f"seat {i + 1}"
        held = in_order(self.s.hand[self.seat]) if self.seat >= 0 else []
        cards = (Card(f"{'played' if n in held else 'card'} {n}", face(self.box, n), origin=origin) for n in numbers)
        return Row(f"fight {key}", self.voice.does(i, yours, theirs), tuple(cards), "small", seat=i + 1)

    def exchange(self) -> Group | None:
        """Return attack and defence with their cards and numbers, at the beat that compares them."""
        s = self.s
        if self.beat != "compared":
            return None
        active, target, block = int(s.active), int(s.target), _defence(s)
        defends = {"block": ("block", "blocks"), "dodge": ("dodge", "dodges"), "take": ("take it", "takes it")}
        attack = self.voice.does(active, *self.attack_verb())
        defence = self.voice.does(target, *defends.get(block, ("can't defend", "can't defend")))
        if block == "block":
            total = f"{s.attack} − {s.defence} = {s.damage}"
        else:
            total = str(s.defence if block == "dodge" else s.damage)
        return Group((
            Row("exchange attack", attack, self.shown(self.attack_cards()), "small", str(s.attack), seat=active + 1),
            Row("exchange defence", defence, self.shown(self.defence_cards()), "small", total,
                empty="no card", seat=target + 1),
        ))  # fmt: skip

    def attack_cards(self) -> tuple[int, ...]:
        """Return the cards of the attack: the Charge of a Blast, and the card that set its CV."""
        s = self.s
        played = [int(s.opened[s.active]) if s.blasting else 0, int(s.attack_by)]
        return tuple(ACTIONS.name_of(action)[1] for action in played if action)

    def defence_cards(self) -> tuple[int, ...]:
        """Return the card that the target defends with, if any."""
        block, number = ACTIONS.name_of(int(self.s.defence_by))
        return (number,) if block in ("block", "dodge") else ()

    def shown(self, numbers: tuple[int, ...]) -> tuple[Card, ...]:
        """Return copies of cards that have already been discarded."""
        return tuple(Card(f"exchange {n}", face(self.box, n)) for n in numbers)

    def banner(self) -> Banner | None:
        """Return the attack under way: its number, and who attacks whom."""
        s = self.s
        phases = (BLAST_CARD, TARGET, DEFENCE, PAY, DROP_CHARGE, DODGE_MOVE)
        if s.over or not s.acted or s.phase not in phases:
            return None
        kind = "Blast" if s.blasting else "Strike"
        if s.phase == BLAST_CARD:
            return Banner(f"attack {s.turn}", kind, f"range {s.range}", int(s.active) + 1)
        left = f", {s.damage} left" if s.damage != s.attack and s.target != NO_SEAT else ""
        against = f" against {self.voice.whom(int(s.target))}" if s.target != NO_SEAT else ""
        attacker = self.voice.name(int(s.active))
        return Banner(f"attack {s.turn}", f"{kind} {s.attack}", f"{attacker}{against}{left}", int(s.active) + 1)

    def knocked(self) -> tuple[Stroke, ...]:
        """Return an arrow for a Knockback in this Turn or the last one."""
        s = self.s
        if s.knocked == NO_SEAT or s.turn - s.knock_turn > 1 or s.out[s.knocked]:
            return ()
        path = knock_path(s, int(self.box.kit.radius))
        if len(path) < 2:
            return ()
        travelled, length = len(path) - 1, int(s.knock_length)
        text = str(length) if travelled == length else f"{travelled} of {length}"
        return (Stroke(f"knock {s.knock_turn}", tuple(map(place, path)), text=text, seat=int(s.knocked) + 1),)

    def aimed(self) -> tuple[Stroke, ...]:
        """Return an arrow from attacker to target, until the target is knocked back."""
        s = self.s
        if s.target == NO_SEAT or self.beat in ("knocked back", "down"):
            return ()
        ends = (place(int(s.at[s.active])), place(int(s.at[s.target])))
        return (Stroke(f"attack {s.turn}", ends, seat=int(s.active) + 1),)
