"""Card Duel: the effects that a card can declare: when they happen, what they do, to whom, and their words on the card.

An effect is four values of a form. Which of them fit together is checked here (`fault`), and `rules.py` carries
effects out by their numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.messages import Text

#: When an effect happens. An event only has the first.
WHEN = ("played", "attacks", "hit", "defeated", "turn starts", "turn ends")
PLAYED, ATTACKS, HIT, DEFEATED, TURN_STARTS, TURN_ENDS = range(len(WHEN))

#: What an effect does. The first seven change a character in play, or move it; damage and heal also fit players.
DOES = (
    "damage", "heal", "attack", "weaken", "health", "shield", "return", "destroy", "control",
    "draw", "discard", "energy", "points",
)  # fmt: skip
DAMAGE, HEAL, ATTACK, WEAKEN, HEALTH, SHIELD, RETURN, DESTROY, CONTROL, DRAW, DISCARD, ENERGY, POINTS = range(len(DOES))

#: Whom an effect is for: a player, this card, or characters in play.
TO = (
    "opponent", "you", "this card", "chosen enemy", "opposite enemy", "weakest enemy", "strongest enemy",
    "random enemy", "all enemies", "your weakest", "your strongest", "all yours",
)  # fmt: skip
(OPPONENT, YOU, THIS, CHOSEN, OPPOSITE, WEAKEST, STRONGEST, RANDOM, ENEMIES, OWN_WEAKEST, OWN_STRONGEST, OWN_ALL) = (
    range(len(TO))
)
#: The targets whose number says how many characters an effect moves.
PICKED = (WEAKEST, STRONGEST, RANDOM, OWN_WEAKEST, OWN_STRONGEST)
MOST = 9

ABOUT_WHEN = {
    "played": "When you play this card.",
    "attacks": "When this character attacks, before it strikes.",
    "hit": "When this character has taken damage and is still in play.",
    "defeated": "When this character has no health left.",
    "turn starts": "At the start of each of your turns, while it is in play.",
    "turn ends": "At the end of each of your turns, while it is in play.",
}
ABOUT_DOES = {
    "damage": "Takes health from characters, or life from a player; in a match for points it scores.",
    "heal": "Removes damage from characters, or gives a player life, up to the life at the start.",
    "attack": "Raises attack for as long as the character is in play.",
    "weaken": "Lowers attack, but not below 0.",
    "health": "Raises health for as long as the character is in play.",
    "shield": "Stops this many hits, however hard.",
    "return": "Puts this many characters back into the hands of those who brought them.",
    "destroy": "Removes this many characters.",
    "control": "Takes this many enemies to your side, while you have free slots.",
    "draw": "Draws this many cards.",
    "discard": "Discards this many cards at random.",
    "energy": "Gives energy for this turn.",
    "points": "Scores points.",
}

_WORDS_FORMS = (
    "Played: {effect}", "Attacks: {effect}", "Hit: {effect}", "Defeated: {effect}", "Turn starts: {effect}",
    "Turn ends: {effect}",
)  # fmt: skip
_TO_TEXTS = (
    "opponent", "you", "itself", "a chosen enemy", "the enemy opposite", "the weakest enemy", "the strongest enemy",
    "a random enemy", "all enemies", "your weakest", "your strongest", "all of yours",
)  # fmt: skip


@dataclass(frozen=True)
class CardEffect:
    """An effect as a designer declares it: values of WHEN, DOES and TO, and a number."""

    when: str
    does: str
    to: str
    number: int = 1

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """The four values as the params record stores them."""
        return WHEN.index(self.when), DOES.index(self.does), TO.index(self.to), self.number

    @property
    def words(self) -> str:
        """The effect in a few words: `Played: 2 damage to the weakest enemy`."""
        return str(Text(_WORDS_FORMS[self.numbers[0]], effect=self.effect_text))

    @property
    def effect_text(self) -> Text:
        """What the effect does: `2 damage to the weakest enemy`."""
        _, does, to, n = self.numbers
        theirs, values = to == OPPONENT, {"n": n, "whom": Text(_TO_TEXTS[to])}
        return {
            DAMAGE: Text("{n} damage to {whom}", **values),
            HEAL: Text("heal {whom} by {n}", **values),
            ATTACK: Text("+{n} attack for {whom}", **values),
            WEAKEN: Text("−{n} attack for {whom}", **values),
            HEALTH: Text("+{n} health for {whom}", **values),
            SHIELD: Text("shield {whom} from a hit", "shield {whom} from {n} hits", **values),
            RETURN: Text("return {whom} to hand", "{n} times return {whom} to hand", **values),
            DESTROY: Text("destroy {whom}", "{n} times destroy {whom}", **values),
            CONTROL: Text("take control of {whom}", "{n} times take control of {whom}", **values),
            DRAW: Text("opponent draws a card", "opponent draws {n} cards", n=n)
            if theirs else Text("draw a card", "draw {n} cards", n=n),
            DISCARD: Text("opponent discards a card", "opponent discards {n} cards", n=n)
            if theirs else Text("discard a card", "discard {n} cards", n=n),
            ENERGY: Text("+{n} energy", n=n),
            POINTS: Text("opponent scores {n} point", "opponent scores {n} points", n=n)
            if theirs else Text("score {n} point", "score {n} points", n=n),
        }[does]  # fmt: skip


def fault(effect: CardEffect, kind: str) -> tuple[str, str]:
    """Return the field that doesn't fit the others and why, in a sentence; two empty texts if all fit."""
    when, does, to, number = effect.numbers
    if kind == "event" and when != PLAYED:
        return "when", "An event only has effects when it is played."
    if kind == "event" and to == THIS:
        return "to", "An event is not in play; choose another target."
    if kind == "event" and to == OPPOSITE:
        return "to", "An event has no slot, so no enemy is opposite it."
    if to == CHOSEN and when != PLAYED:
        return "to", "Only effects of a card that is played can choose an enemy."
    if does >= DRAW and to > YOU:
        return "to", f"{effect.does.capitalize()} is for a player: you or the opponent."
    if does == ENERGY and to != YOU:
        return "to", "Only you can gain energy, because it lasts until the end of your turn."
    if ATTACK <= does <= CONTROL and to <= YOU:
        return "to", f"{effect.does.capitalize()} is for characters, not for a player."
    if does == CONTROL and (to == THIS or to >= OWN_WEAKEST):
        return "to", "You already control this; choose enemies."
    if when == DEFEATED and to == THIS:
        return "to", "A defeated character is no longer in play."
    if RETURN <= does <= CONTROL and number > 1 and to not in PICKED:
        return "number", "The number says how often to pick a character; this target is picked once, so write 1."
    return "", ""


def effect_of(row: Mapping[str, Any]) -> CardEffect:
    """Return the effect in a valid row of a content file."""
    return CardEffect(row["when"], row["does"], row["to"], row["number"])
