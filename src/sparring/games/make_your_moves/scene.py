"""Make Your Moves: the table as a seat sees it, and the words for every choice."""

from functools import lru_cache
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import (
    Banner, Button, Card, Colour, Face, Group, Layout, Pile, Row, Scene, Seat, Track, replace, upturned,
)  # fmt: skip
from sparring.scene.pictures import own_picture
from sparring.scene.sentences import counted

from . import state as R
from .asking import attack_or_pass, defend, help_a_side
from .art import BACK, picture, ropes
from .telling import added, deeds, ending, move_name, powers, tell, why_not
from .telling import card as card_of

__all__ = ["ONLY", "aliases", "deeds", "scene", "tell", "why_not", "words"]

#: Why there is only one choice, by phase.
ONLY = {
    R.TARGET: "Only one target:",
    R.DODGE_TO: "Only one can be named:",
    R.ASSIST_SIDE: "The card fits one side only:",
}

INK = {
    "Red": Colour("red", "Red", "R", "diagonal"),
    "Green": Colour("green", "Green", "G", "dots"),
    "Blue": Colour("blue", "Blue", "B", "waves"),
    "Yellow": Colour("yellow", "Yellow", "Y", "cross"),
    "Wild": Colour("black", "Wild", "W", "solid"),
}

WORDS = {
    "skip": "pass", "done": "done", "counter": "counter", "dodge": "dodge",
    "attacker": "help attacker", "defender": "help defender",
}  # fmt: skip


def words(box: Box, s: Any, action: int) -> str:
    """The words of a choice: `target 2`, a card's name, `counter`, `dodge`, `help attacker`, `pass`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return card_of(box, number).name if number < len(box.content.cards) else ""
    if block == "seat":
        return f"target {number + 1}" if number < s.seats else ""
    return WORDS[block]


def aliases(box: Box, s: Any, action: int) -> tuple[str, ...]:
    """A card is also `Red2`, as all its equals are; a seat is `target S2` or `to 2`, a side just `attacker`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return (card_of(box, number).kind,) if number < len(box.content.cards) else ()
    if block == "seat":
        return (f"target S{number + 1}", f"to {number + 1}", f"S{number + 1}") if number < s.seats else ()
    return (block,) if block in ("attacker", "defender") else ()


def scene(box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> Scene:
    """The table for `seat` (from 0; negative: somebody who watches)."""
    return _Table(box, s, seat, choices, beat).scene()


def outline(box: Box, s: Any) -> Scene:
    """The table for somebody who watches, without what lies on it."""
    return _Table(box, s, -1, [], "").outline()


@lru_cache(maxsize=512)
def face(name: str, colour: str, power: int, own: str = "") -> Face:
    """What a card looks like: its power is ropes in its colour; `own` is what somebody drew for it."""
    return Face(
        name, INK[colour], str(power), own_picture(own) or picture(name, colour), base=ropes(power, INK[colour].key)
    )


@lru_cache(maxsize=1024)
def discards(box: Box, lying: tuple[int, ...]) -> Pile:
    """The discard pile with these cards, which all may look through; most of it is the same from choice to choice."""
    return Pile("discard pile", "Discards", len(lying), tuple(laid(box, n, "seat -1") for n in lying))


def laid(box: Box, n: int, origin: str, *marks: str) -> Card:
    """A card that lies there for all to see."""
    this = card_of(box, n)
    return upturned(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin, marks)


@lru_cache(maxsize=256)
def hand_of(seat: int, held: int) -> Row:
    """The hand of somebody else, from behind."""
    backs = tuple(Card(f"seat {seat} hand {n}", origin="draw pile") for n in range(held))
    return Row(f"hand of {seat}", cards=backs, layout="small")


class _Table(Layout):
    """One seat's table being laid out."""

    waiting = (
        "chooses whom to attack", "builds an attack", "answers the attack", "picks four cards of one colour",
        "chooses who takes the attack", "may help a side", "chooses which side to help", "may discard",
    )  # fmt: skip

    def scene(self) -> Scene:
        s = self.s
        return replace(
            self.outline(),
            left=(Group((self.draw_pile(), self.discard_pile())),),
            middle=() if s.over else (Group(self.sides()),), right=self.extras(),
            hand=(self.hand(),) if self.seat >= 0 and not s.out[self.seat] else (),
            banner=self.banner(), backs=(BACK,),
            exchange=self.exchange(),
        )  # fmt: skip

    def status(self) -> str:
        return f"Turn {self.s.turn}"

    # Who plays

    def panel(self, i: int) -> Seat:
        s = self.s
        held = int(s.hand[i, 0])
        title = "Damage" if self.box.options["match"] == "elimination" else "Points"
        choosable = R.SEAT + i in self.choices
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.waited_for, out=bool(s.out[i]), tags=self.tags(i),
            tracks=(Track(f"points {i}", title, int(s.points[i]), R.NEEDED),),
            parts=() if i == self.seat else (hand_of(i, held),),
            label=f"{self.voice.name(i)}, {counted(held, 'card')}, {int(s.points[i])} of {R.NEEDED} {title.lower()}",
            **(self.chosen(R.SEAT + i) if choosable else {}),
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        if s.over:
            return ("winner",) if s.payoff[i] > 0 else ()
        fighting = s.attack[0] > 0 or s.phase in (R.ATTACK, R.RESPOND)
        tags = []
        if fighting and i == s.attacker:
            tags.append("Attacker")
        elif fighting and i == s.defender and s.phase != R.DODGE_TO:
            tags.append("Defender")
        if i == s.control and not (fighting and i == s.attacker):
            tags.append("in control")
        return tuple(tags)

    # What lies on the table

    def laid(self, n: int, owner: int, *marks: str) -> Card:
        return laid(self.box, n, "hand" if owner == self.seat else f"seat {owner + 1}", *marks)

    def sides(self) -> tuple[Row, Row]:
        """The two moves, facing each other."""
        s = self.s
        attack = self.side("attack", "Attack", s.attack, s.help_attack, int(s.attacker))
        return attack, self.side("defence", "Defence", s.defence, s.help_defence, int(s.defender))

    def side(self, key: str, title: str, own: Any, helping: Any, owner: int) -> Row:
        fought = self.s.attack[0] > 0
        laid = [self.laid(n, owner) for n in in_order(own)] + [self.laid(n, -2, "help") for n in in_order(helping)]
        total = added(powers(self.box, own, helping)) if fought else ""
        return Row(key, title, tuple(laid), total=total, seat=owner + 1 if fought else 0)

    def exchange(self) -> Group | None:
        """What lies there when it is decided: the two moves, or the one and the four cards that counter it."""
        if self.beat == "countered":
            return Group((self.sides()[0], *self.extras()))
        return Group(self.sides()) if self.beat == "compared" else None

    def extras(self) -> tuple[Row, ...]:
        """Cards that lie beside the two moves: fours spent, a helper's card without a side."""
        s = self.s
        rows = []
        if s.fours[0]:
            fours = tuple(self.laid(n, int(s.defender)) for n in in_order(s.fours))
            rows.append(Row("fours", "Countered with" if self.beat == "countered" else "Dodged with", fours, "small"))
        if s.helping[0]:
            helping = tuple(self.laid(n, int(s.player)) for n in in_order(s.helping))
            rows.append(Row("helping", "Help", helping, "small"))
        return tuple(rows)

    def draw_pile(self) -> Pile:
        return Pile("draw pile", "Draw pile", int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        return discards(self.box, tuple(in_order(self.s.discard)))

    def hand(self) -> Row:
        picked = in_order(self.s.picked)
        held = []
        for n in in_order(self.s.hand[self.seat]):
            this = card_of(self.box, n)
            why = {} if n in picked else self.chosen(R.CARD + n)
            held.append(Card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin="draw pile",
                             marks=("picked",) if n in picked else (), **why))  # fmt: skip
        return Row("hand", "Your hand", tuple(held), "hand", empty="Your hand is empty.", seat=self.seat + 1)

    def banner(self) -> Banner | None:
        """The move as the ring announcer calls it, as soon as there is one."""
        s = self.s
        if s.over or not s.attack[0]:
            return None
        return Banner(f"move {s.turn}", move_name(self.box, in_order(s.attack)), seat=int(s.attacker) + 1)

    # What is asked

    def ending(self) -> str:
        return ending(self.s, self.seat)

    def question(self) -> str:
        s = self.s
        if s.phase == R.TARGET:
            return attack_or_pass(s, self.voice, R.SKIP in self.choices)
        if s.phase == R.ATTACK:
            return "Add a card to your attack, or end it." if s.attack[0] else "Lay the first card of your attack."
        if s.phase == R.RESPOND:
            return defend(self.box, s, self.voice)
        if s.phase == R.FOUR:
            return f"Pick four cards of one colour to {'dodge' if s.dodging else 'counter'} with; {s.picked[0]} picked."
        if s.phase == R.DODGE_TO:
            return "Who takes the attack in your place?"
        if s.phase == R.ASSIST_CARD:
            return help_a_side(self.box, s)
        if s.phase == R.ASSIST_SIDE:
            return "Which side does your card help?"
        return "Discard what you do not want; you draw up to five again."

    def buttons(self) -> tuple[Button, ...]:
        """The choices that are neither a card nor a seat."""
        return tuple(
            Button(text=self.text(action), action=action, words=words(self.box, self.s, action), main=action == R.DONE)
            for action in sorted(self.choices)
            if action >= R.SKIP
        )

    def text(self, action: int) -> str:
        s = self.s
        block, _ = R.ACTIONS.name_of(action)
        if block in ("attacker", "defender"):
            helped = int(s.attacker if block == "attacker" else s.defender)
            own, given = (s.attack, s.help_attack) if block == "attacker" else (s.defence, s.help_defence)
            power = powers(self.box, own, given)
            return f"{self.voice.name(helped)}: {added([sum(power), *powers(self.box, s.helping)])}"
        if block == "done":
            if s.phase == R.RESPOND:
                return "End your defence" if s.defence[0] else "Lay no defence"
            return "End your attack" if s.phase == R.ATTACK else "Discard no more"
        if block == "skip":
            return "Pass control on" if s.phase == R.TARGET else "Stay out of it"
        return {"counter": "Counter", "dodge": "Dodge"}[block]


FOURS = "Lay four cards of one colour instead of a defence."
