"""Five Circles: what each of the 24 abilities costs, when it may be used, and on what; attack, health, destruction.

Automatic abilities and effects that last until the end of the turn are numbers, which act where the rules read them:

* in this file: `pierce` and `armour` (`strike_of`), `boost` and Attack Boost 2 (`attack_bonus`), `guard`
  (`health_bonus`), Sleep (`awake_at`, `blocker_at`)
* `combat.py`: `fast` (`start_exchange`), `reflect` (`reflection`), Target and Long Range (`attack_from_lane`), Serenity
  and Avoid Damage (`is_shielded`)
* `rules.py`: `extra` (`play_character`)

To add a 25th:

1. Add a line to ABILITIES. An automatic ability only gives numbers, which the rules read when needed: `pierce`,
   `armour`, `boost` (attack of each neighbour), `guard` (health of each neighbour), `fast`, `reflect`, `extra`.
2. An activated ability also has a `price` in its colour, the phases in which it can be used, and what it `wants` (a
   constant; from ENEMY on, the user picks one). Its effect is a case of `take_effect` in `combat.py`.

The validator, params, words and buttons follow from that, and the table in the rules. `make generated` also writes this
table to docs/games/five-circles.md, and the entries of `ability_glossary` to glossary.toml. Other texts and positions
name a price by `price_of`: `{{ price("Fireball") }}` in rules.md and learn.toml.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sparring.engine.game import GameSetup
from sparring.engine.messages import Text, listed
from sparring.engine.rule import beat, finish, rule
from sparring.engine.state import option_value
from sparring.engine.texts import changes_of

from .state import (
    ANSWER, ARRIVED, ASLEEP, BLUE, BLUE_ONLY, BOTH_HOLD, BRACE, COLOURS, DESTROYED, FALLING, GREEN, HOLD, LANES,
    LIFE_LOST, LONG, MAIN, MEET, MEND, NO_LIFE, OPEN, PLAYERS, RED, SEATS, SIDE, SILENT, SLOTS, WAIT, Params, State,
    deck_of, discard_character, discard_of,
)  # fmt: skip

# What an ability needs or picks (`ability_wants`). From ENEMY on, the user picks one.
NOTHING, FACING, ITSELF, OTHERS, DECK, HAND_CARD, ENEMY, ENEMY_OR_PLAYER, AWAKE_ENEMY, HURT, PAIR, DISCARD, ARRANGE = (
    range(13)
)

# Why an ability may not be used now, or USABLE.
(USABLE, NO_ABILITY, WRONG_TIME, USED, OTHER_COPY, SILENCED, UNPAID, NO_FIGHT, TOO_NEW, OTHER_ATTACK, NO_TARGET) = (
    range(11)
)


@dataclass(frozen=True)
class Ability:
    """An ability as printed on a card. Colours and phases are constants of `state.py`."""

    name: str
    colour: int
    #: The number of circles it fills.
    size: int
    #: One line for the table of abilities and the tooltip on a card.
    effect: Text
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
        return listed(when_used(self.phases), "or") or "always"

    def used_in(self, params: Params) -> int:
        """Return the phases in which it can be used with the options in force, as bits."""
        bits = sum(1 << phase for phase in self.phases)
        if params.brace == BLUE_ONLY and self.colour != BLUE:
            bits &= ~(1 << BRACE)
        for (option, value), phase in self.option_phases.items():
            if getattr(params, option) == option_value(getattr(Params, option), value):
                bits |= 1 << phase
        return bits


#: When abilities can be used, by phase.
WHEN_TEXTS = {
    MAIN: "on your turn before combat", BRACE: "on your opponent's turn before combat",
    MEND: "on your turn after combat", ANSWER: "when it is about to take damage",
}  # fmt: skip


def when_used(phases: Collection[int]) -> list[Text]:
    """Return when an ability with these phases can be used."""
    told = {MAIN, BRACE} if {MAIN, BRACE} <= set(phases) else set()
    times = [Text("before combat on either player's turn")] if told else []
    return times + [Text(when) for phase, when in WHEN_TEXTS.items() if phase in phases and phase not in told]


ABILITIES: tuple[Ability, ...] = (
    # Red
    Ability("Armor Piercing 1", RED, 1, Text("Its strikes ignore 1 armour."), "R39", gives={"pierce": 1}),
    Ability("Armor Piercing 2", RED, 2, Text("Its strikes ignore 2 armour."), "R39", gives={"pierce": 2}),
    Ability("Self Destruct", RED, 2, Text("Destroys itself and the awake enemy in front of it."), "R40",
            price=1, phases=(MAIN,), wants=FACING),
    Ability("Attack Boost 1", RED, 1, Text("Each neighbour has +1 attack."), "R35", gives={"boost": 1}),
    Ability("Attack Boost 2", RED, 2, Text("Each neighbour has +2 attack until the end of the turn."), "R41",
            price=1, phases=(MAIN, BRACE)),
    Ability("Target", RED, 1,
            Text("This turn it attacks an enemy of your choice; the enemy in front still strikes it."), "R42, R43, R58",
            price=1, phases=(MAIN,), wants=ENEMY, attack=True),
    Ability("Fireball", RED, 1, Text("Deals 1 damage to an enemy, ignoring armour."), "R44",
            price=1, phases=(MAIN, BRACE), wants=ENEMY_OR_PLAYER, repeatable=True),
    Ability("Long Range", RED, 3, Text("This turn it attacks the opponent directly and isn't struck."), "R45, R58",
            price=3, phases=(MAIN,), attack=True),
    # Blue
    Ability("Armor 1", BLUE, 2, Text("Each strike on it does 1 less damage."), "R38", gives={"armour": 1}),
    Ability("Armor 2", BLUE, 3, Text("Each strike on it does 2 less damage."), "R38", gives={"armour": 2}),
    Ability("Heal 1", BLUE, 1, Text("Removes 1 damage from any character."), "R46",
            price=1, phases=(MAIN, BRACE, MEND), wants=HURT, repeatable=True,
            option_phases={("heal", "rescue"): ANSWER}),
    Ability("Heal 2", BLUE, 2, Text("Removes up to 2 damage from one character."), "R46",
            price=2, phases=(MAIN, BRACE, MEND), wants=HURT, repeatable=True,
            option_phases={("heal", "rescue"): ANSWER}),
    Ability("Defender", BLUE, 1, Text("Each neighbour has +1 health."), "R35, R47", gives={"guard": 1}),
    Ability("Disperse", BLUE, 1, Text("Moves some or all of the damage to your other characters."), "R48",
            price=1, phases=(ANSWER,), wants=OTHERS, repeatable=True, response="disperse"),
    Ability("Avoid Damage", BLUE, 2, Text("It takes no damage for the rest of the turn."), "R49",
            price=2, phases=(ANSWER,), wants=ITSELF, response="avoid"),
    Ability("Serenity", BLUE, 3, Text("Discard this card: no one takes any more damage this turn."), "R50",
            phases=(MAIN, BRACE)),
    # Green
    Ability("Fast", GREEN, 1, Text("Strikes first; an enemy it destroys doesn't strike back."), "R51",
            gives={"fast": 1}),
    Ability("Restore", GREEN, 2, Text("Returns a card from the discard pile to your hand."), "R52",
            price=2, phases=(MAIN,), wants=DISCARD, repeatable=True),
    Ability("Future Vision", GREEN, 1, Text("Look at the top 3 cards of the deck."), "R53",
            price=1, phases=(MAIN,), wants=DECK, repeatable=True),
    Ability("Change the Future", GREEN, 2, Text("Look at the top 3 cards of the deck and put them back in any order."),
            "R53", price=2, phases=(MAIN,), wants=ARRANGE, repeatable=True),
    Ability("Reflect", GREEN, 1,
            Text("When attacked, half the damage it takes (rounded up) also hits the attacker."), "R54",
            gives={"reflect": 1}),
    Ability("Reorder", GREEN, 1, Text("Two of your characters swap lanes."), "R55",
            price=1, phases=(MAIN, BRACE), wants=PAIR, repeatable=True),
    Ability("Extra Card", GREEN, 3, Text("When it comes into play, you may play another character for free."),
            "R56", wants=HAND_CARD, gives={"extra": 1}, option_phases={("extra", "each-turn"): MAIN}),
    Ability("Sleep", GREEN, 1, Text("An awake enemy sleeps this turn: it doesn't attack, strike back or block."), "R57",
            price=1, phases=(MAIN, BRACE), wants=AWAKE_ENEMY, repeatable=True),
)  # fmt: skip


def ability_table(setup: GameSetup) -> str:
    """Return all abilities as a Markdown table with the options in force, for rules.md and the docs."""
    head = "| Ability | Circles | Cost to use | When | What it does | Ruling |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| {each.name} | {each.size} {COLOURS[each.colour]} | {each.kind} | {each.when} "
        f"| {each.effect}{changes_of(setup, each.ruling)} | {each.ruling} |\n"
        for each in ABILITIES
    )


def price_of(name: str, times: int = 1) -> str:
    """Return the resources that one use of an ability costs, or several: `2 Blue`."""
    ability = ABILITIES[NUMBER[name]]
    return f"{times * ability.price} {COLOURS[ability.colour]}"


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


# Current values (section 7), computed when needed and never stored (R35)


@rule
def is_silent(params: Params, s: State, card: int) -> bool:
    """Return whether a sleeping card has lost its abilities (`sleeper`, R57)."""
    return params.sleeper == SILENT and s.status[card] & ASLEEP != 0


@rule
def attack_bonus(params: Params, s: State, at: int) -> int:
    """Return the attack that the character at a place gives each neighbour (R35, R41)."""
    card = s.row[at] - 1
    if card < 0 or is_silent(params, s, card):
        return 0
    return params.card_boost[card] + 2 * (s.status[card] >> 8 & 3)


@rule
def attack_of(params: Params, s: State, card: int) -> int:
    """Return attack: the printed value plus bonuses from neighbours (R35)."""
    at = s.at[card]
    return params.card_attack[card] + attack_bonus(params, s, at - 1) + attack_bonus(params, s, at + 1)


@rule
def health_bonus(params: Params, s: State, at: int) -> int:
    """Return the health that the character at a place gives each neighbour (Defender, R35)."""
    card = s.row[at] - 1
    if card < 0 or is_silent(params, s, card):
        return 0
    return params.card_guard[card]


@rule
def health_of(params: Params, s: State, card: int) -> int:
    """Return health: the printed value plus bonuses from neighbours (R35)."""
    at = s.at[card]
    return params.card_health[card] + health_bonus(params, s, at - 1) + health_bonus(params, s, at + 1)


@rule
def strike_of(params: Params, s: State, card: int, other: int) -> int:
    """Return a card's strike on another: its attack less the armour it doesn't pierce (R38, R39)."""
    armour = 0 if is_silent(params, s, other) else max(0, params.card_armour[other] - params.card_pierce[card])
    return max(0, attack_of(params, s, card) - armour)


# Destruction


@rule
def has_lethal_damage(params: Params, s: State, card: int) -> bool:
    """Return whether damage exceeds health, or with `lethal=meet` equals it (R26)."""
    damage = s.damage[card]
    if params.lethal == MEET:
        damage += damage > 0
    return damage > params.card_health[card] and damage > health_of(params, s, card)


def would_fall(params: Params, s: State) -> bool:
    """Return whether the packet would be lethal for its target as things stand (R26)."""
    later = s.copy()
    later.damage[s.hit - 1] += s.packet
    return bool(has_lethal_damage(params, later, s.hit - 1))


@rule
def check_destruction(params: Params, s: State) -> None:
    """Destroy all characters with lethal damage at the same moment; repeat until none is left (section 7, R47)."""
    destroyed = True
    while destroyed:
        destroyed = False
        for seat in range(SEATS):
            for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
                card = s.row[at] - 1
                if card >= 0 and s.damage[card] > 0 and has_lethal_damage(params, s, card):
                    s.status[card] |= FALLING
                    destroyed = True
        if destroyed:
            beat(s, DESTROYED)
            discard_marked(params, s, s.active)
            discard_marked(params, s, 1 - s.active)


@rule
def discard_marked(params: Params, s: State, seat: int) -> None:
    """Discard the marked characters of a row, from lane 1 outward."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0 and s.status[card] & FALLING:
            discard_character(params, s, card)


@rule
def lose_life(params: Params, s: State, seat: int, points: int) -> None:
    """Reduce life, not below 0; at 0 the game ends at once (R29, R32). Only Serenity prevents it."""
    if s.serene >> seat & 1:
        return
    s.life[seat] = max(0, s.life[seat] - points)
    beat(s, LIFE_LOST)
    if s.life[seat] == 0:
        finish(s, NO_LIFE, 2 - seat)


# When an ability may be used, and what can be picked for it (section 9): it follows from the numbers in the params; no
# ability is named here. `rules.py` lists the choices.


@rule
def obstacle(params: Params, s: State, card: int, slot: int, phase: int) -> int:
    """Return why a character in play may not use the ability in a slot in a phase, or USABLE (R33, R34, R36)."""
    ability = params.card_ability[card, slot]
    if ability < 0:
        return NO_ABILITY
    if not params.ability_phases[ability] >> phase & 1:
        return WRONG_TIME
    status = s.status[card]
    if status >> slot & 1:
        return USED
    if slot > 0 and params.card_ability[card, slot - 1] == ability and not status >> (slot - 1) & 1:
        return OTHER_COPY
    if params.sleeper == SILENT and status & ASLEEP:
        return SILENCED
    seat = s.at[card] >> 6
    if s.ready[seat, params.ability_colour[ability]] < params.ability_price[ability]:
        return UNPAID
    if params.ability_attack[ability]:
        if not has_combat(params, s):
            return NO_FIGHT
        if params.summons == WAIT and status & ARRIVED:
            return TOO_NEW
        if uses_other_attack(params, s, card, ability):
            return OTHER_ATTACK
    return USABLE if has_target(params, s, seat, card, params.ability_wants[ability], phase) else NO_TARGET


@rule
def uses_other_attack(params: Params, s: State, card: int, ability: int) -> bool:
    """Return whether the card uses the other one of Target and Long Range this turn (R58)."""
    if params.ability_wants[ability] == ENEMY:
        return s.status[card] & LONG != 0
    return s.target[card] > 0


@rule
def has_target(params: Params, s: State, seat: int, card: int, wants: int, phase: int) -> bool:
    """Return whether what the ability wants is available."""
    enemy = 1 - seat
    if wants == NOTHING:
        return True
    if wants == FACING:
        return blocker_at(params, s, s.at[card] ^ SIDE) >= 0
    if wants == ITSELF:
        return s.hit == card + 1
    if wants == OTHERS:
        return s.hit == card + 1 and count_in_play(s, seat) > 1
    if wants == DECK:
        return deck_of(params, s, seat)[0] > 0
    if wants == HAND_CARD:
        return s.hand[seat, 0] > 0 and s.last[seat] < LANES
    if wants == ENEMY:
        return s.last[enemy] > 0
    if wants == ENEMY_OR_PLAYER:
        return s.last[enemy] > 0 or params.fireball == PLAYERS
    if wants == AWAKE_ENEMY:
        return any_pick(params, s, enemy, wants)
    if wants == HURT:
        return phase == ANSWER or any_pick(params, s, seat, wants) or any_pick(params, s, enemy, wants)
    if wants == PAIR:
        return count_in_play(s, seat) > 1
    if wants == DISCARD:
        return discard_of(params, s, seat)[0] > 0
    return deck_of(params, s, seat)[0] > 1


@rule
def count_in_play(s: State, seat: int) -> int:
    """Return how many characters a seat has in play."""
    count = 0
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            count += 1
    return count


@rule
def has_combat(params: Params, s: State) -> bool:
    """Return whether there is combat this turn (`opening`, R23)."""
    if params.opening == HOLD:
        return s.turn > 1
    return params.opening != BOTH_HOLD or s.turn > 2


@rule
def blocker_at(params: Params, s: State, at: int) -> int:
    """Return the enemy at a place that blocks an attacker, or -1. A sleeper blocks with `sleep=still` only (R57)."""
    return awake_at(s, at) if params.sleep == OPEN else s.row[at] - 1


@rule
def awake_at(s: State, at: int) -> int:
    """Return the awake character at a place, or -1."""
    card = s.row[at] - 1
    if card >= 0 and s.status[card] & ASLEEP:
        return -1
    return card


@rule
def can_pick(s: State, card: int, wants: int) -> bool:
    """Return whether a character of the right row can be picked: not one already picked, nor the one being hit."""
    if wants == AWAKE_ENEMY:
        return s.status[card] & ASLEEP == 0
    if wants == HURT:
        return s.damage[card] > 0
    return card + 1 != s.first and card + 1 != s.hit


@rule
def any_pick(params: Params, s: State, seat: int, wants: int) -> bool:
    """Return whether any character of a row can be picked."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at] and can_pick(s, s.row[at] - 1, wants):
            return True
    return False


@rule
def can_use(params: Params, s: State, seat: int, phase: int) -> bool:
    """Return whether any character of a seat may use any ability in a phase."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0 and params.card_phases[card] >> phase & 1:
            for slot in range(SLOTS):
                if obstacle(params, s, card, slot, phase) == USABLE:
                    return True
    return False
