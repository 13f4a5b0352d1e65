"""Five Circles: what each of the 24 abilities costs, when it may be used, and what using it does.

Automatic abilities and effects that last until the end of the turn are numbers, which act where the rules read them:

* `table.py`: `pierce` and `armour` (`strike_of`), `boost` and Attack Boost 2 (`attack_bonus`), `guard` (`health_bonus`)
* `combat.py`: `fast` (`start_exchange`), `reflect` (`reflection`), Target and Long Range (`attack_from_lane`), Serenity
  and Avoid Damage (`is_shielded`)
* `using.py`: Sleep (`awake_at`, `blocker_at`)
* `rules.py`: `extra` (`play_character`)

To add a 25th:

1. Add a line to ABILITIES. An automatic ability only gives numbers, which the rules read when needed: `pierce`,
   `armour`, `boost` (attack of each neighbour), `guard` (health of each neighbour), `fast`, `reflect`, `extra`.
2. An activated ability also has a `price` in its colour, the phases in which it can be used, and what it `wants` (a
   constant of `using.py`; from ENEMY on, the user picks one). Its effect is a rule in the lower half of this file,
   named after it, with a line in `take_effect`.

The validator, kit, words and buttons follow from that. `ability_table` makes the table in the rules and in
docs/games/five-circles.md, and `ability_glossary()` the entries in glossary.toml; a test fails if they are out of date.

"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sparring.engine.cards import put
from sparring.engine.game import Box
from sparring.engine.rule import end_moment, rule
from sparring.engine.texts import changes_of

from . import options as O
from .combat import aim_packet, clear_packet, land_packet
from .state import (
    ANSWER, ASLEEP, AVOIDING, BLUE, BOOST, BRACE, COLOURS, EXTRA, GREEN, LONG, MAIN, MEND, RED, SIDE, SPREAD, TOP,
    State,
)  # fmt: skip
from .table import deck_of, discard_of, discard_character, forget_top, lose_life, put_in_lane, add_to_hand
from .using import (
    ARRANGE, AWAKE_ENEMY, DECK, DISCARD, ENEMY, ENEMY_OR_PLAYER, FACING, HAND_CARD, HURT, ITSELF, NOTHING, OTHERS, PAIR,
)  # fmt: skip


@dataclass(frozen=True)
class Ability:
    """An ability as printed on a card. Colours, phases and wants are constants of `state.py` and `using.py`."""

    name: str
    colour: int
    #: The number of circles it fills.
    size: int
    #: One line for the table of abilities and the tooltip on a card.
    effect: str
    ruling: str
    #: Resources of its colour that one use costs.
    price: int = 0
    #: The phases in which it can be used; none for an automatic ability.
    phases: tuple[int, ...] = ()
    wants: int = NOTHING
    #: The numbers that an automatic ability gives.
    gives: Mapping[str, int] = field(default_factory=dict)
    #: With `uses=repeat`, it can be used as often as its owner pays.
    repeatable: bool = False
    #: Changes how the card attacks: needs combat this turn, and excludes the other such ability (R58).
    attack: bool = False
    #: Further phases by option value: (option, value) to phase.
    option_phases: Mapping[tuple[str, str], int] = field(default_factory=dict)
    #: The one-word choice for it in ANSWER; without one, its choice is worded like any other use.
    response: str = ""

    @property
    def kind(self) -> str:
        """How it is used: `automatic`, `free`, or the price of one use."""
        if not self.phases:
            return "automatic"
        return f"{self.price} {COLOURS[self.colour]}" if self.price else "free"

    @property
    def when(self) -> str:
        """When it can be used, with the default options."""
        return when_used(self.phases) or "always"

    def used_in(self, kit: O.Params) -> int:
        """Return the phases in which it can be used with the options in force, as bits."""
        bits = sum(1 << phase for phase in self.phases)
        if kit.brace == O.BLUE_ONLY and self.colour != BLUE:
            bits &= ~(1 << BRACE)
        for (option, value), phase in self.option_phases.items():
            if getattr(kit, option) == OPTION_BY_NAME[option].number(value):
                bits |= 1 << phase
        return bits


OPTION_BY_NAME = {option.name: option for option in O.OPTIONS}

#: When abilities can be used, by phase.
WHEN = {
    MAIN: "on your turn before combat", BRACE: "on your opponent's turn before combat",
    MEND: "on your turn after combat", ANSWER: "when it is about to take damage",
}  # fmt: skip

EITHER_TURN = "before combat on either player's turn"


def when_used(phases: Collection[int]) -> str:
    """Return in words when an ability with these phases can be used."""
    times = [EITHER_TURN] if {MAIN, BRACE} <= set(phases) else []
    times += [when for phase, when in WHEN.items() if phase in phases and not (times and phase in (MAIN, BRACE))]
    return " or ".join(times)


ABILITIES: tuple[Ability, ...] = (
    # Red
    Ability("Armor Piercing 1", RED, 1, "Its strikes ignore 1 armour.", "R39", gives={"pierce": 1}),
    Ability("Armor Piercing 2", RED, 2, "Its strikes ignore 2 armour.", "R39", gives={"pierce": 2}),
    Ability("Self Destruct", RED, 2, "Destroys itself and the awake enemy in front of it.", "R40",
            price=1, phases=(MAIN,), wants=FACING),
    Ability("Attack Boost 1", RED, 1, "Each neighbour has +1 attack.", "R35", gives={"boost": 1}),
    Ability("Attack Boost 2", RED, 2, "Each neighbour has +2 attack until the end of the turn.", "R41",
            price=1, phases=(MAIN, BRACE)),
    Ability("Target", RED, 1, "This turn it attacks an enemy of your choice; the enemy in front still strikes it.",
            "R42, R43, R58", price=1, phases=(MAIN,), wants=ENEMY, attack=True),
    Ability("Fireball", RED, 1, "Deals 1 damage to an enemy, ignoring armour.", "R44",
            price=1, phases=(MAIN, BRACE), wants=ENEMY_OR_PLAYER, repeatable=True),
    Ability("Long Range", RED, 3, "This turn it attacks the opponent directly and isn't struck.", "R45, R58",
            price=3, phases=(MAIN,), attack=True),
    # Blue
    Ability("Armor 1", BLUE, 2, "Each strike on it does 1 less damage.", "R38", gives={"armour": 1}),
    Ability("Armor 2", BLUE, 3, "Each strike on it does 2 less damage.", "R38", gives={"armour": 2}),
    Ability("Heal 1", BLUE, 1, "Removes 1 damage from any character.", "R46",
            price=1, phases=(MAIN, BRACE, MEND), wants=HURT, repeatable=True,
            option_phases={("heal", "rescue"): ANSWER}),
    Ability("Heal 2", BLUE, 2, "Removes up to 2 damage from one character.", "R46",
            price=2, phases=(MAIN, BRACE, MEND), wants=HURT, repeatable=True,
            option_phases={("heal", "rescue"): ANSWER}),
    Ability("Defender", BLUE, 1, "Each neighbour has +1 health.", "R35, R47", gives={"guard": 1}),
    Ability("Disperse", BLUE, 1, "Moves some or all of the damage to your other characters.", "R48",
            price=1, phases=(ANSWER,), wants=OTHERS, repeatable=True, response="disperse"),
    Ability("Avoid Damage", BLUE, 2, "It takes no damage for the rest of the turn.", "R49",
            price=2, phases=(ANSWER,), wants=ITSELF, response="avoid"),
    Ability("Serenity", BLUE, 3, "Discard this card: no one takes any more damage this turn.", "R50",
            phases=(MAIN, BRACE)),
    # Green
    Ability("Fast", GREEN, 1, "Strikes first; an enemy it destroys doesn't strike back.", "R51", gives={"fast": 1}),
    Ability("Restore", GREEN, 2, "Returns a card from the discard pile to your hand.", "R52",
            price=2, phases=(MAIN,), wants=DISCARD, repeatable=True),
    Ability("Future Vision", GREEN, 1, "Look at the top 3 cards of the deck.", "R53",
            price=1, phases=(MAIN,), wants=DECK, repeatable=True),
    Ability("Change the Future", GREEN, 2, "Look at the top 3 cards of the deck and put them back in any order.",
            "R53", price=2, phases=(MAIN,), wants=ARRANGE, repeatable=True),
    Ability("Reflect", GREEN, 1, "When attacked, half the damage it takes (rounded up) also hits the attacker.", "R54",
            gives={"reflect": 1}),
    Ability("Reorder", GREEN, 1, "Two of your characters swap lanes.", "R55",
            price=1, phases=(MAIN, BRACE), wants=PAIR, repeatable=True),
    Ability("Extra Card", GREEN, 3, "When it comes into play, you may play another character for free.",
            "R56", wants=HAND_CARD, gives={"extra": 1}, option_phases={("extra", "each-turn"): MAIN}),
    Ability("Sleep", GREEN, 1, "An awake enemy sleeps this turn: it doesn't attack, strike back or block.", "R57",
            price=1, phases=(MAIN, BRACE), wants=AWAKE_ENEMY, repeatable=True),
)  # fmt: skip


def ability_table(box: Box) -> str:
    """Return all abilities as a Markdown table with the options in force, for rules.md and the docs."""
    head = "| Ability | Circles | Cost to use | When | What it does | Ruling |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| {each.name} | {each.size} {COLOURS[each.colour]} | {each.kind} | {each.when} "
        f"| {each.effect}{changes_of(box, each.ruling)} | {each.ruling} |\n"
        for each in ABILITIES
    )


def ability_glossary() -> str:
    """Return the glossary entries of all abilities."""
    use = "Automatic.", "Free, {when}.", "Costs {kind}, once a turn, {when}."
    return "\n".join(
        f'["{each.name}"]\ntext = "{each.effect} '
        f'{use[bool(each.phases) + bool(each.price)].format(when=each.when, kind=each.kind)}"\n'
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

# The effects of activated abilities. `card` uses the ability; `chosen` is what was picked: a card, -1 for the opponent,
# or a place in a pile. A rule returns True if it needs a response or another pick; otherwise `run_automatic_steps`
# follows, which starts with the destruction check.


@rule
def take_effect(kit: O.Params, s: State, ability: int, card: int, chosen: int) -> bool:
    """Carry out an ability that has been paid for; return whether it needs another choice first."""
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
def self_destruct(kit: O.Params, s: State, card: int) -> bool:
    """Destroy both cards at once, without damage (R40)."""
    victim = s.row[s.at[card] ^ SIDE] - 1
    discard_character(kit, s, card)
    discard_character(kit, s, victim)
    return False


@rule
def attack_boost_2(s: State, card: int) -> bool:
    """Give its neighbours, even if they change, +2 attack until end of turn (R41)."""
    s.status[card] += BOOST
    return False


@rule
def target(s: State, card: int, chosen: int) -> bool:
    """Make it attack the chosen card this turn, wherever that is (R42)."""
    s.target[card] = chosen + 1
    return False


@rule
def fireball(kit: O.Params, s: State, card: int, chosen: int) -> bool:
    """Deal a packet of 1 to an enemy character, or take 1 life from the opponent (R44)."""
    if chosen < 0:
        lose_life(kit, s, 1 - (s.at[card] >> 6), 1)
        return False
    return aim_packet(kit, s, chosen, 1)


@rule
def long_range(s: State, card: int) -> bool:
    """Make it attack the opponent from a distance this turn (R45)."""
    s.status[card] |= LONG
    return False


@rule
def heal(s: State, chosen: int, points: int) -> bool:
    """Remove damage (R46); in ANSWER, take that many points off the packet (`heal=rescue`)."""
    if s.hit:
        s.packet = max(0, s.packet - points)
        land_packet(s)
    else:
        s.damage[chosen] = max(0, s.damage[chosen] - points)
    return False


@rule
def disperse(s: State) -> bool:
    """Open SPREAD: points of the packet may go to the owner's other characters, one by one (R48)."""
    s.phase = SPREAD
    return True


@rule
def avoid_damage(kit: O.Params, s: State, card: int) -> bool:
    """Ignore the packet and all further damage to this card this turn (R49); with `avoid=packet` only the packet."""
    if kit.avoid != O.PACKET:
        s.status[card] |= AVOIDING
    s.kept = 0
    clear_packet(s)
    return False


@rule
def serenity(kit: O.Params, s: State, card: int) -> bool:
    """Discard the card and ignore all damage, or all to its side (`serenity`), until end of turn (R50)."""
    s.serene |= 1 << (s.at[card] >> 6) if kit.serenity == O.OWN_SIDE else 3
    discard_character(kit, s, card)
    return False


@rule
def restore(kit: O.Params, s: State, chosen: int) -> bool:
    """Move a card from the discard pile to the hand; both players know which (R52)."""
    discard = discard_of(kit, s, s.player)
    card = discard[chosen + 1]
    for i in range(chosen + 1, discard[0]):
        discard[i] = discard[i + 1]
    discard[discard[0]] = 0
    discard[0] -= 1
    add_to_hand(s, s.player, card, 1)
    return False


@rule
def future_vision(kit: O.Params, s: State) -> bool:
    """Show the top of the deck to the user only (R53)."""
    s.known_top[s.player] = min(TOP, deck_of(kit, s, s.player)[0])
    end_moment(s)
    return False


@rule
def change_the_future(kit: O.Params, s: State, chosen: int) -> bool:
    """Record a card's new place, top first; once only one is left, rearrange the deck (R53)."""
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
def look_before_arranging(kit: O.Params, s: State) -> None:
    """Show the top to the user, and clear what the other seat knew of this deck (section 12)."""
    forget_top(kit, s, s.player)
    future_vision(kit, s)


@rule
def reorder(s: State, chosen: int) -> bool:
    """Swap the lanes of two characters; they keep damage and effects (R55)."""
    if s.first == 0:
        s.first = chosen + 1
        return True
    other = s.first - 1
    here = s.at[chosen]
    put_in_lane(s, chosen, s.at[other])
    put_in_lane(s, other, here)
    s.first = 0
    return False


@rule
def extra_card(s: State) -> bool:
    """Open EXTRA: a character from the hand comes into play without cost (R56)."""
    s.phase = EXTRA
    return True


@rule
def sleep(s: State, chosen: int) -> bool:
    """Put the character to sleep until end of turn (R57)."""
    s.status[chosen] |= ASLEEP
    return False
