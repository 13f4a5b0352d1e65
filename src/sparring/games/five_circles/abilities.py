"""The 24 abilities of Five Circles: the one home of what each costs, when it may be used, and what it does.

How a 25th comes in:

1. A line in ABILITIES. What works by itself gives numbers that the rules read at every moment: `pierce`, `armour`,
   `boost` (attack of each neighbour), `guard` (health of each neighbour), `fast`, `reflect`, `extra`; such an ability
   is ready with this line.
2. What is used has a `price` in its colour, the phases of its use and what it `wants` (a word of `using.py`; from ENEMY
   on the user picks one). What it does is a rule in the lower half of this file, named after it, with a line in
   `take_effect`.

Validator, kit, words and buttons follow by themselves; the tables in rules.md and docs/games/five-circles.md are
`ability_table()`, the entries of glossary.toml `ability_glossary()`, and a test says when they are to be written anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sparring.engine.cards import put
from sparring.engine.rule import end_moment, rule

from . import options as O
from .damage import aim, clear_packet, land_packet
from .state import (
    ANSWER, ASLEEP, AVOIDING, BLUE, BOOST, BRACE, COLOURS, EXTRA, GREEN, LONG, MAIN, MEND, RED, SIDE, SPREAD, TOP,
)  # fmt: skip
from .table import deck_of, discard_of, forget_top, leave, lose_life, settle, take_in
from .using import (
    ARRANGE, AWAKE_ENEMY, DECK, DISCARD, ENEMY, ENEMY_OR_PLAYER, FACING, HAND_CARD, HURT, ITSELF, NOTHING, OTHERS, PAIR,
)  # fmt: skip


@dataclass(frozen=True)
class Ability:
    """An ability as it is written on a card. Colours, phases and wants are numbers of `state.py` and `using.py`."""

    name: str
    colour: int
    #: How many circles it fills.
    size: int
    #: What it does, in a line for the table of abilities and for the tip on a card.
    effect: str
    ruling: str
    #: Resources of its colour that one use takes.
    price: int = 0
    #: The phases it is used in; none: it works by itself.
    phases: tuple[int, ...] = ()
    wants: int = NOTHING
    #: The numbers an automatic ability gives.
    gives: Mapping[str, int] = field(default_factory=dict)
    #: With `uses=repeat` as often as paid for.
    again: bool = False
    #: A way of attacking: needs a fight this turn, and excludes the other way (R58).
    attack: bool = False
    #: Further phases that an option value opens: (option, value) to phase.
    opened: Mapping[tuple[str, str], int] = field(default_factory=dict)
    #: The one word for it in ANSWER; without one it is used like any other.
    word: str = ""

    @property
    def kind(self) -> str:
        """How it works, in a word or two."""
        if not self.phases:
            return "automatic"
        return f"{self.price} {COLOURS[self.colour]}" if self.price else "for nothing"

    @property
    def when(self) -> str:
        """When it is used, with the default options."""
        return ", ".join(WHEN[phase] for phase in self.phases) or "always"

    def used_in(self, options: Mapping[str, Any]) -> int:
        """The phases it can be used in at a table with these options (their numbers in the kit), as bits."""
        bits = sum(1 << phase for phase in self.phases)
        if options["brace"] == O.BLUE_ONLY and self.colour != BLUE:
            bits &= ~(1 << BRACE)
        for (option, value), phase in self.opened.items():
            if options[option] == CHOICES[option].number(value):
                bits |= 1 << phase
        return bits


CHOICES = {option.name: option for option in O.OPTIONS}

#: When abilities are used, by phase.
WHEN = {
    MAIN: "in your turn before combat", BRACE: "in the opponent's turn before combat",
    MEND: "in your turn after combat", ANSWER: "when its card is about to be damaged",
}  # fmt: skip

ABILITIES: tuple[Ability, ...] = (
    # Eight that are Red
    Ability("Armor Piercing 1", RED, 1, "Its strikes ignore 1 armour.", "R39", gives={"pierce": 1}),
    Ability("Armor Piercing 2", RED, 2, "Its strikes ignore 2 armour.", "R39", gives={"pierce": 2}),
    Ability("Self Destruct", RED, 2, "Destroys this card and the awake enemy in front of it.", "R40",
            price=1, phases=(MAIN,), wants=FACING),
    Ability("Attack Boost 1", RED, 1, "Each neighbour has +1 attack.", "R35", gives={"boost": 1}),
    Ability("Attack Boost 2", RED, 2, "Until end of turn each neighbour has +2 attack.", "R41",
            price=1, phases=(MAIN, BRACE)),
    Ability("Target", RED, 1, "Attacks an enemy of your choice this turn; the card in front still strikes it.",
            "R42, R43, R58", price=1, phases=(MAIN,), wants=ENEMY, attack=True),
    Ability("Fireball", RED, 1, "1 damage to an enemy, whatever its armour.", "R44",
            price=1, phases=(MAIN, BRACE), wants=ENEMY_OR_PLAYER, again=True),
    Ability("Long Range", RED, 3, "Attacks the opponent this turn and is not struck.", "R45, R58",
            price=3, phases=(MAIN,), attack=True),
    # Eight that are Blue
    Ability("Armor 1", BLUE, 2, "Each strike on it is 1 less.", "R38", gives={"armour": 1}),
    Ability("Armor 2", BLUE, 3, "Each strike on it is 2 less.", "R38", gives={"armour": 2}),
    Ability("Heal 1", BLUE, 1, "Removes 1 damage from any character.", "R46",
            price=1, phases=(MAIN, BRACE, MEND), wants=HURT, again=True, opened={("heal", "rescue"): ANSWER}),
    Ability("Heal 2", BLUE, 2, "Removes up to 2 damage from any one character.", "R46",
            price=2, phases=(MAIN, BRACE, MEND), wants=HURT, again=True, opened={("heal", "rescue"): ANSWER}),
    Ability("Defender", BLUE, 1, "Each neighbour has +1 health.", "R35, R47", gives={"guard": 1}),
    Ability("Disperse", BLUE, 1, "When it is hit: hand points of the damage on to your other characters.", "R48",
            price=1, phases=(ANSWER,), wants=OTHERS, again=True, word="disperse"),
    Ability("Avoid Damage", BLUE, 2, "When it is hit: it takes no damage for the rest of the turn.", "R49",
            price=2, phases=(ANSWER,), wants=ITSELF, word="avoid"),
    Ability("Serenity", BLUE, 3, "Discard this card: all further damage this turn is ignored.", "R50",
            phases=(MAIN, BRACE)),
    # Eight that are Green
    Ability("Fast", GREEN, 1, "Strikes first; what it destroys does not strike back.", "R51", gives={"fast": 1}),
    Ability("Restore", GREEN, 2, "Takes a card out of the discard pile into your hand.", "R52",
            price=2, phases=(MAIN,), wants=DISCARD, again=True),
    Ability("Future Vision", GREEN, 1, "You alone see the top 3 cards of the deck.", "R53",
            price=1, phases=(MAIN,), wants=DECK, again=True),
    Ability("Change the Future", GREEN, 2, "You alone see the top 3 cards of the deck and put them in any order.",
            "R53", price=2, phases=(MAIN,), wants=ARRANGE, again=True),
    Ability("Reflect", GREEN, 1, "When attacked: half the damage, rounded up, lands on the attacker too.", "R54",
            gives={"reflect": 1}),
    Ability("Reorder", GREEN, 1, "Two of your characters change lanes.", "R55",
            price=1, phases=(MAIN, BRACE), wants=PAIR, again=True),
    Ability("Extra Card", GREEN, 3, "Brings another character from your hand for free when it comes into play.", "R56",
            wants=HAND_CARD, gives={"extra": 1}, opened={("extra", "each-turn"): MAIN}),
    Ability("Sleep", GREEN, 1, "An awake enemy sleeps until end of turn: it neither attacks, strikes nor blocks.",
            "R57", price=1, phases=(MAIN, BRACE), wants=AWAKE_ENEMY, again=True),
)  # fmt: skip


def ability_table() -> str:
    """All abilities as a Markdown table, for the rules and the documentation."""
    head = "| Ability | Circles | Price of a use | When | What it does | Ruling |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| {each.name} | {each.size} {COLOURS[each.colour]} | {each.kind} | {each.when} | {each.effect} "
        f"| {each.ruling} |\n"
        for each in ABILITIES
    )


def ability_glossary() -> str:
    """All abilities as entries of the glossary."""
    paid = "Works by itself.", "Once a turn, {when}; {kind}.", "Once a turn, {when}; it costs {kind}."
    return "\n".join(
        f'["{each.name}"]\ntext = "{each.effect} '
        f'{paid[bool(each.phases) + bool(each.price)].format(when=each.when.replace(", ", " or "), kind=each.kind)}"\n'
        for each in ABILITIES
    )


NUMBER = {ability.name: number for number, ability in enumerate(ABILITIES)}

SELF_DESTRUCT, ATTACK_BOOST_2, USES_TARGET, FIREBALL, LONG_RANGE = (
    NUMBER[name] for name in ("Self Destruct", "Attack Boost 2", "Target", "Fireball", "Long Range")
)
HEAL_1, HEAL_2, DISPERSE, AVOID_DAMAGE, SERENITY = (
    NUMBER[name] for name in ("Heal 1", "Heal 2", "Disperse", "Avoid Damage", "Serenity")
)
RESTORE, FUTURE_VISION, CHANGE_THE_FUTURE, REORDER, EXTRA_CARD, SLEEP = (
    NUMBER[name] for name in ("Restore", "Future Vision", "Change the Future", "Reorder", "Extra Card", "Sleep")
)

# What each used ability does. `card` uses it, `chosen` is what was picked: a card, -1 for the opponent, a place in a
# pile. Where it needs an answer or another pick, the rule says True; if not, the destruction check follows, in
# `carry_on`.


@rule
def take_effect(kit, s, ability, card, chosen):
    """The ability does what it does; its price is paid. Whether somebody is asked before the turn goes on."""
    if ability == SELF_DESTRUCT:
        return self_destruct(kit, s, card)
    if ability == ATTACK_BOOST_2:
        return attack_boost_2(s, card)
    if ability == USES_TARGET:
        return target(s, card, chosen)
    if ability == FIREBALL:
        return fireball(kit, s, card, chosen)
    if ability == LONG_RANGE:
        return long_range(s, card)
    if ability == HEAL_1:
        return heal(s, chosen, 1)
    if ability == HEAL_2:
        return heal(s, chosen, 2)
    if ability == DISPERSE:
        return disperse(s)
    if ability == AVOID_DAMAGE:
        return avoid_damage(kit, s, card)
    if ability == SERENITY:
        return serenity(kit, s, card)
    if ability == RESTORE:
        return restore(kit, s, chosen)
    if ability == FUTURE_VISION:
        return future_vision(kit, s)
    if ability == CHANGE_THE_FUTURE:
        return change_the_future(kit, s, chosen)
    if ability == REORDER:
        return reorder(s, chosen)
    if ability == EXTRA_CARD:
        return extra_card(s)
    return sleep(s, chosen)


@rule
def self_destruct(kit, s, card):
    """Both cards are destroyed at once; it is not damage (R40)."""
    victim = s.row[s.at[card] ^ SIDE] - 1
    leave(kit, s, card)
    leave(kit, s, victim)
    return False


@rule
def attack_boost_2(s, card):
    """Until end of turn whoever is its neighbour has +2 attack (R41)."""
    s.status[card] += BOOST
    return False


@rule
def target(s, card, chosen):
    """This turn it attacks the chosen card, wherever that stands (R42)."""
    s.target[card] = chosen + 1
    return False


@rule
def fireball(kit, s, card, chosen):
    """A packet of 1 on an enemy character, or 1 life of the opponent (R44)."""
    if chosen < 0:
        lose_life(kit, s, 1 - (s.at[card] >> 6), 1)
        return False
    return aim(kit, s, chosen, 1)


@rule
def long_range(s, card):
    """This turn it attacks the opponent from afar (R45)."""
    s.status[card] |= LONG
    return False


@rule
def heal(s, chosen, points):
    """Remove damage (R46); in ANSWER so many points of the packet do not land (`heal=rescue`)."""
    if s.hit:
        s.packet = max(0, s.packet - points)
        land_packet(s)
    else:
        s.damage[chosen] = max(0, s.damage[chosen] - points)
    return False


@rule
def disperse(s):
    """SPREAD: the points of the packet may go to the owner's other characters, one by one (R48)."""
    s.phase = SPREAD
    return True


@rule
def avoid_damage(kit, s, card):
    """The packet is ignored, and all further damage to this card this turn (R49); `avoid=packet`: only the packet."""
    if kit.avoid != O.PACKET:
        s.status[card] |= AVOIDING
    s.kept = 0
    clear_packet(s)
    return False


@rule
def serenity(kit, s, card):
    """The card is discarded; damage to all (or to its side: `serenity`) is ignored until end of turn (R50)."""
    s.serene |= 1 << (s.at[card] >> 6) if kit.serenity == O.OWN_SIDE else 3
    leave(kit, s, card)
    return False


@rule
def restore(kit, s, chosen):
    """A card of the discard pile goes to the hand; everybody saw which (R52)."""
    discard = discard_of(kit, s, s.player)
    card = discard[chosen + 1]
    for i in range(chosen + 1, discard[0]):
        discard[i] = discard[i + 1]
    discard[discard[0]] = 0
    discard[0] -= 1
    take_in(s, s.player, card, 1)
    return False


@rule
def future_vision(kit, s):
    """The user alone sees the top of the deck (R53)."""
    s.known_top[s.player] = min(TOP, deck_of(kit, s, s.player)[0])
    end_moment(s)
    return False


@rule
def change_the_future(kit, s, chosen):
    """The user sees the top and picks the new order, the new top first; the last card follows (R53)."""
    put(s.picks, chosen)
    count = s.known_top[s.player]
    if s.picks[0] < count - 1:
        return True
    put(s.picks, count * (count - 1) // 2 - s.picks[1] - s.picks[2])
    deck = deck_of(kit, s, s.player)
    top = deck[0]
    seen = (deck[top], deck[top - 1], deck[max(1, top - 2)])
    for i in range(count):
        deck[top - i] = seen[s.picks[i + 1]]
    for i in range(TOP + 1):
        s.picks[i] = 0
    return False


@rule
def open_future(kit, s):
    """Before the first pick: what the other seat knew of this deck is worth nothing any more (section 12)."""
    forget_top(kit, s, s.player)
    future_vision(kit, s)


@rule
def reorder(s, chosen):
    """Two characters change lanes, keeping damage and effects (R55)."""
    if s.first == 0:
        s.first = chosen + 1
        return True
    other = s.first - 1
    here = s.at[chosen]
    settle(s, chosen, s.at[other])
    settle(s, other, here)
    s.first = 0
    return False


@rule
def extra_card(s):
    """A character from the hand comes into play without cost (R56)."""
    s.phase = EXTRA
    return True


@rule
def sleep(s, chosen):
    """It sleeps until end of turn (R57)."""
    s.status[chosen] |= ASLEEP
    return False
