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
   constant; from ENEMY on, the user picks one). Its effect is a case of `take_effect` in `combat.py`.

The validator, kit, words and buttons follow from that. `ability_table` makes the table in the rules and in
docs/games/five-circles.md, and `ability_glossary()` the entries in glossary.toml; a test fails if they are out of date.

"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sparring.engine.game import Box
from sparring.engine.texts import changes_of

from .options import BLUE_ONLY, OPTIONS, Params
from .state import (
    ANSWER, BLUE, BRACE, COLOURS, GREEN, MAIN, MEND, RED,
)  # fmt: skip
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

    def used_in(self, kit: Params) -> int:
        """Return the phases in which it can be used with the options in force, as bits."""
        bits = sum(1 << phase for phase in self.phases)
        if kit.brace == BLUE_ONLY and self.colour != BLUE:
            bits &= ~(1 << BRACE)
        for (option, value), phase in self.option_phases.items():
            if getattr(kit, option) == OPTION_BY_NAME[option].number(value):
                bits |= 1 << phase
        return bits


OPTION_BY_NAME = {option.name: option for option in OPTIONS}

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
