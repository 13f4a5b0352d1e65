"""MACE: what has happened, as log sentences for a seat, as effects, and as the areas about an attack."""

from collections.abc import Callable
from functools import reduce
from typing import Any

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import Banner, Card, Effect, Group, Layout, Row, Stroke
from sparring.scene.sentences import Text, Voice, aside, result, say, turn

from .components import cards_counted, face, hexes_counted, named, place
from .state import (
    ACTIONS, BLAST_CARD, DEFENCE, DODGE_MOVE, DROP_CHARGE, FORFEIT, LAST_ONE_IN, MOST_CARDS, NO_SEAT, PAY, TARGET,
    State,
)  # fmt: skip


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


def _new_round(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    seats = [
        voice.text("you ({card})", "{who} ({card})", who=seat, card=named(setup, int(after.momentum[seat])))
        for seat in in_order(after.order)
    ]
    order = reduce(lambda order, seat: Text("{order}, then {seat}", order=order, seat=seat), seats)
    return turn(Text("Round {number}: {order}.", number=after.rounds, order=order))


def _round_over(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    if after.hurt:
        return Text("Round {number} is over.", number=after.rounds)
    return Text(
        "Round {number} is over: no Damage (quiet Round {quiet} of {limit}, after which the Combat ends).",
        number=after.rounds, quiet=after.quiet + 1, limit=setup.options["stall_rounds"],
    )  # fmt: skip


def _compared(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    """Return attack and defence in numbers."""
    target, damage, block = int(after.target), int(after.damage), _defence(after)
    if block == "block":
        values = {"damage": damage, "attack": after.attack, "defence": after.defence}
        line = Text("{damage} Damage ({attack} − {defence}).", **values)
        if not damage:
            line = Text("No Damage ({attack} − {defence}).", **values)
    elif block == "dodge":
        line = _dodged(after, voice)
    else:
        forms = "You take {damage} Damage.", "{who} takes {damage} Damage."
        if after.down[target]:
            forms = (
                "You are Down and can't defend: {damage} Damage.", "{who} is Down and can't defend: {damage} Damage.",
            )  # fmt: skip
        line = voice.text(*forms, who=target, damage=damage)
    return result(line, hit=bool(damage))


def _dodged(s: State, voice: Voice) -> Text:
    """Return whether a Dodge succeeds; both its players read their own number first."""
    own, other = (s.attack, s.defence) if voice.seat == s.active else (s.defence, s.attack)
    values = {"own": own, "other": other, "damage": s.damage}
    if voice.seat in (s.active, s.target):
        if s.damage:
            return Text("Your {own} against {other}: the Dodge fails; {damage} Damage.", **values)
        return Text("Your {own} against {other}: dodged.", **values)
    if s.damage:
        return Text("{own} against {other}: the Dodge fails; {damage} Damage.", **values)
    return Text("{own} against {other}: dodged.", **values)


def _paid(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    forms = "Damage paid: you have {cards} left.", "Damage paid: {who} has {cards} left."
    return voice.text(*forms, who=after.target, cards=cards_counted(after.hand[after.target, 0]))


def _knocked_back(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    travelled, length = len(knock_path(after, int(setup.params.radius))) - 1, after.knock_length
    forms = (
        "You are knocked back {hexes}, half of {damage} Damage.",
        "{who} is knocked back {hexes}, half of {damage} Damage.",
    )
    values: dict[str, Any] = {"hexes": hexes_counted(length), "damage": after.damage}
    if travelled < length:
        forms = (
            "You are knocked back {travelled} of {hexes} (half of {damage} Damage): {stopped}.",
            "{who} is knocked back {travelled} of {hexes} (half of {damage} Damage): {stopped}.",
        )
        values |= {"travelled": travelled, "stopped": _stopped(after, setup, voice)}
    return voice.text(*forms, who=after.knocked, **values)


def _stopped(s: State, setup: GameSetup, voice: Voice) -> Text:
    """Return what stops a Knockback: the edge, a Fighter, or its Reach (option `knockback_reach`)."""
    radius, end = int(setup.params.radius), int(s.at[s.knocked])
    there = int(hexes.beyond(s.knock_source, s.knock_start, end, radius))
    forms = "another Fighter's Reach stops you", "another Fighter's Reach stops {who}"
    if there == hexes.NOWHERE:
        forms = "the edge of the board stops you", "the edge of the board stops {who}"
    elif any(s.at[seat] == there and not s.out[seat] for seat in range(int(s.seats))):
        forms = "another Fighter stops you", "another Fighter stops {who}"
    return voice.text(*forms, who=s.knocked)


def _went_down(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    forms = (
        "You go Down (Knockback {length}, only {cards} left): you miss the next Turn and can't defend until then.",
        (
            "{who} goes Down (Knockback {length}, only {cards} left): {who} misses the next Turn and can't defend "
            "until then."
        ),
    )
    cards = cards_counted(after.hand[after.target, 0])
    return result(voice.text(*forms, who=after.target, length=after.knock_length, cards=cards))


def _knocked_out(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    loser = next(seat for seat in range(int(after.seats)) if after.out[seat] and not before.out[seat])
    forms = "You have no cards left and are Knocked Out.", "{who} has no cards left and is Knocked Out."
    if before.phase == FORFEIT:
        forms = "You forfeit and are out.", "{who} forfeits and is out."
    return result(voice.text(*forms, who=loser))


def _up_again(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    seat = next(seat for seat in range(int(after.seats)) if before.down[seat] and not after.down[seat])
    return voice.text("You miss a Turn and get back up.", "{who} misses a Turn and gets back up.", who=seat)


def _reshuffled(setup: GameSetup, before: State, after: State, voice: Voice) -> Text:
    return aside(Text("The discard pile is shuffled into a new deck."))


#: The sentence for a beat besides the choice; a lost Charge is in the choice itself.
RESULTS: dict[str, Callable[[GameSetup, State, State, Voice], Text]] = {
    "round": _new_round, "compared": _compared, "paid": _paid, "knocked back": _knocked_back, "down": _went_down,
    "out": _knocked_out, "up again": _up_again, "round over": _round_over, "reshuffled": _reshuffled,
}  # fmt: skip


# The effects of a beat on the objects on the table


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


# What happens in a Combat, and the areas on the table about an attack

#: How the target defends, as it reads it and as others do; else it can't.
DEFENCE_FORMS = {
    "block": ("You block", "{who} blocks"), "dodge": ("You dodge", "{who} dodges"),
    "take": ("You take it", "{who} takes it"),
}  # fmt: skip
CANT_FORMS = ("You can't defend", "{who} can't defend")


class CombatEvents(Layout[State]):
    """What happens, in the log and on the table: attack and defence, the comparison of both, and what is under way."""

    def events(self, before: State, action: int | None) -> list[Text]:
        """Return log sentences: the cards that this seat drew, and the result of the beat."""
        lines = []
        if self.seat >= 0:
            held = in_order(before.hand[self.seat])
            drawn = [card for card in in_order(self.s.hand[self.seat]) if card not in held]
            lines += [aside(Text("You draw {items}.", items=[named(self.setup, card)])) for card in drawn]
        if self.beat in RESULTS:
            lines.append(RESULTS[self.beat](self.setup, before, self.s, self.voice))
        return lines

    def ending(self) -> Text:
        """Return how the Combat ended."""
        s = self.s
        winners = [i for i in range(int(s.seats)) if not s.out[i] and s.payoff[i] >= 0]
        if s.ending == LAST_ONE_IN:
            forms = "You win: last Fighter standing.", "{who} wins: last Fighter standing."
            return self.voice.text(*forms, who=winners[0])
        if s.ending == MOST_CARDS:
            forms = (
                "You win the stalled Combat with the most cards in hand.",
                "{who} wins the stalled Combat with the most cards in hand.",
            )
            return self.voice.text(*forms, who=winners[0])
        seats = [self.voice.item(i) for i in winners]
        return Text("The Combat has stalled: a draw between {seats}.", seats=seats)

    def effects(self, before: State, action: int | None) -> list[Effect]:
        """Return the effects: moves, an attack at its target, a Knockback, a Fighter Down or out."""
        after, seats = self.s, range(int(self.s.seats))
        match self.beat:
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
        return [Effect("move", target=_fighter(i)) for i in seats if not after.out[i] and after.at[i] != before.at[i]]

    def fight(self) -> tuple[Group, ...]:
        """Return the cards of attack and defence, which stay face up beside the board until the attack is over.

        By the rules they may be in the discard pile already (option `discard_timing`).
        """
        attack, defence = self.attack_cards(), self.defence_cards()
        if not attack:
            return ()
        rows = [self.fight_row("attack", self.attack_title(), int(self.s.active), attack)]
        if defence:
            rows.append(self.fight_row("defence", self.defence_title(), int(self.s.target), defence))
        return (Group(tuple(rows)),)

    def attack_title(self) -> str:
        """Return what the attacker does."""
        forms = ("You blast", "{who} blasts") if self.s.blasting else ("You strike", "{who} strikes")
        return str(self.voice.text(*forms, who=self.s.active))

    def defence_title(self) -> str:
        """Return what the target does."""
        return str(self.voice.text(*DEFENCE_FORMS.get(_defence(self.s), CANT_FORMS), who=self.s.target))

    def fight_row(self, key: str, title: str, i: int, numbers: tuple[int, ...]) -> Row:
        """Return one side's cards in an attack. A card may be in this seat's hand again after a reshuffle."""
        origin = "hand" if i == self.seat else f"seat {i + 1}"
        held = in_order(self.s.hand[self.seat]) if self.seat >= 0 else []
        cards = (Card(f"{'played' if n in held else 'card'} {n}", face(self.setup, n), origin=origin) for n in numbers)
        return Row(f"fight {key}", title, tuple(cards), "small", seat=i + 1)

    def exchange(self) -> Group | None:
        """Return attack and defence with their cards and numbers, at the beat that compares them."""
        s = self.s
        if self.beat != "compared":
            return None
        active, target, block = int(s.active), int(s.target), _defence(s)
        if block == "block":
            total = f"{s.attack} − {s.defence} = {s.damage}"
        else:
            total = str(s.defence if block == "dodge" else s.damage)
        return Group((
            Row("exchange attack", self.attack_title(), self.shown(self.attack_cards()), "small", str(s.attack),
                seat=active + 1),
            Row("exchange defence", self.defence_title(), self.shown(self.defence_cards()), "small", total,
                empty=say("no card"), seat=target + 1),
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
        return tuple(Card(f"exchange {n}", face(self.setup, n)) for n in numbers)

    def banner(self) -> Banner | None:
        """Return the attack under way: its number, and who attacks whom."""
        s = self.s
        phases = (BLAST_CARD, TARGET, DEFENCE, PAY, DROP_CHARGE, DODGE_MOVE)
        if s.over or not s.acted or s.phase not in phases:
            return None
        key, active = f"attack {s.turn}", int(s.active)
        if s.phase == BLAST_CARD:
            return Banner(key, say("Blast"), say("range {range}", range=s.range), active + 1)
        title = say("Blast {attack}", attack=s.attack) if s.blasting else say("Strike {attack}", attack=s.attack)
        if s.target == NO_SEAT:
            return Banner(key, title, self.voice.label(active), active + 1)
        forms = "You against {whom}", "{who} against you", "{who} against {whom}"
        against = self.voice.text(*forms, who=active, whom=s.target)
        if s.damage != s.attack:
            against = Text("{seats}, {damage} left", seats=against, damage=s.damage)
        return Banner(key, title, str(against), active + 1)

    def knocked(self) -> tuple[Stroke, ...]:
        """Return an arrow for a Knockback in this Turn or the last one."""
        s = self.s
        if s.knocked == NO_SEAT or s.turn - s.knock_turn > 1 or s.out[s.knocked]:
            return ()
        path = knock_path(s, int(self.setup.params.radius))
        if len(path) < 2:
            return ()
        travelled, length = len(path) - 1, int(s.knock_length)
        text = str(length)
        if travelled < length:
            text = say("{travelled} of {length}", travelled=travelled, length=length)
        return (Stroke(f"knock {s.knock_turn}", tuple(map(place, path)), text=text, seat=int(s.knocked) + 1),)

    def aimed(self) -> tuple[Stroke, ...]:
        """Return an arrow from attacker to target, until the target is knocked back."""
        s = self.s
        if s.target == NO_SEAT or self.beat in ("knocked back", "down"):
            return ()
        ends = (place(int(s.at[s.active])), place(int(s.at[s.target])))
        return (Stroke(f"attack {s.turn}", ends, seat=int(s.active) + 1),)
