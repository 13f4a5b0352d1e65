"""Card Duel: the scene of the table for a seat."""

from functools import lru_cache

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import (
    Button, Card, Colour, Face, Group, Layout, Pile, PrintableScene, Row, Seat, Slot, Track, replace,
)  # fmt: skip
from sparring.scene.pictures import custom_picture
from sparring.scene.sentences import counted

from . import state as S
from .art import back, picture
from .board import attack_of, health_of
from .effects import effects, slot_key
from .kit import DuelCard
from .log_sentences import ending, tell
from .words import aliases, card, question, why_not, words

__all__ = ["ONLY", "aliases", "effects", "scene", "tell", "why_not", "words"]

#: Log text for a choice made automatically because it was the only one, by phase.
ONLY = {S.PLACE: "(the only free slot)", S.AIM: "Only one enemy:", S.TARGET: "Only one target:"}

INKS = {"character": Colour("blue", "Character", "", "solid"), "event": Colour("red", "Event", "", "diagonal")}


def scene(box: Box, s: S.State, seat: int, choices: list[int], beat: str = "") -> PrintableScene:
    """Return the scene for `seat` (from 0; negative: a spectator)."""
    return _DuelTable(box, s, seat, choices, beat).scene()


def outline(box: Box, s: S.State) -> PrintableScene:
    """Return a spectator's scene without the areas on the table."""
    return _DuelTable(box, s, -1, [], "").outline()


@lru_cache(maxsize=1024)
def face(this: DuelCard, attack: int | None = None, health: int | None = None) -> Face:
    """Return the face of a card; a character in play has its current attack and health."""
    now = (this.attack if attack is None else attack, this.health if health is None else health)
    feet = (("attack", str(now[0])), ("health", str(now[1]))) if this.kind == "character" else ()
    raised = tuple(word for word, value, printed in _stats(this, now) if value > printed)
    lowered = tuple(word for word, value, printed in _stats(this, now) if value < printed)
    lines = (*((", ".join(this.traits),) if this.traits else ()), *(effect.words for effect in this.effects))
    return Face(
        this.name, INKS[this.kind], str(this.cost), custom_picture(this.picture) or picture(this), lines,
        feet=feet, raised=raised, lowered=lowered,
    )  # fmt: skip


def _stats(this: DuelCard, now: tuple[int, int]) -> tuple[tuple[str, int, int], ...]:
    return ("attack", now[0], this.attack), ("health", now[1], this.health)


class _DuelTable(Layout[S.State]):
    """Lays out the scene for one seat."""

    waiting_texts = (
        "is playing cards and attacking", "is choosing a slot", "is choosing an enemy", "is choosing a target",
    )  # fmt: skip

    def __init__(self, box: Box, s: S.State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        #: The seat whose row is drawn below: this seat, or the first for a spectator.
        self.below = max(seat, 0)

    def scene(self) -> PrintableScene:
        """Return the scene: both rows in the middle, piles on the left, the hand at the bottom."""
        rows = Group((self.row(1 - self.below), self.row(self.below)), down=True)
        return replace(
            self.outline(), left=(Group(self.piles()),), middle=(rows, *self.on_table()),
            hand=(self.hand(),) if self.seat >= 0 else (), backs=(back(self.box.content.name),),
        )  # fmt: skip

    def status(self) -> str:
        """Return the round and their number."""
        return f"Round {(int(self.s.turn) + 1) // 2} of {int(self.box.kit.rounds)}"

    def panel(self, i: int) -> Seat:
        """Return a seat with its life, points, energy and cards in hand."""
        s, kit = self.s, self.box.kit
        held = int(s.hand[i, 0])
        life = () if kit.win == S.POINTS else (Track(f"life {i}", "Life", int(s.life[i]), style="number"),)
        scores = kit.win == S.POINTS or self.scores_points()
        points = (Track(f"points {i}", "Points", int(s.points[i]), int(kit.points), style="number"),) if scores else ()
        energy = Track(f"energy {i}", "Energy", int(s.energy[i]), style="number")
        known = [card(self.box, n).name for n, count in enumerate(s.known[i].tolist()) for _ in range(count)]
        hand = Row(
            f"hand of {i}", layout="small",
            cards=tuple(Card(f"seat {i} hand {n}", origin=f"draw pile {i}") for n in range(held)),
        )  # fmt: skip
        chosen = self.optional_choice_fields(S.OPPONENT) if self.has_turn and i != s.player else {}
        tracks = (*life, *points, energy)
        told = ", ".join(f"{track.value} {track.title.lower()}" for track in tracks)
        has = f", among them {' and '.join(known)}" if known and i != self.seat else ""
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tracks=tracks,
            parts=() if i == self.seat else (hand,), text="Attack" if chosen else "",
            label=f"{self.voice.name(i)}, {told}, {counted(held, 'card')} in hand{has}", **chosen,
        )  # fmt: skip

    def scores_points(self) -> bool:
        """Return whether a card of the set scores points."""
        return any(effect.does == "points" for card in self.box.content.cards for effect in card.effects)

    def piles(self) -> tuple[Pile, ...]:
        """Return the deck and the discard pile of each seat, the own ones last."""
        parts = []
        for owner in (1 - self.below, self.below):
            whose = "Your" if owner == self.seat else f"Seat {owner + 1}'s"
            gone = in_order(self.s.discard[owner])
            cards = tuple(Card(key=f"discard {owner} {n}", face=face(card(self.box, c))) for n, c in enumerate(gone))
            parts += [Pile(f"draw pile {owner}", f"{whose} deck", int(self.s.deck[owner, 0])),
                      Pile(f"discard pile {owner}", f"{whose} discards", len(cards), cards)]  # fmt: skip
        return tuple(parts)

    def row(self, i: int) -> Row:
        """Return a seat's row of slots."""
        whose = "Your" if i == self.seat else f"Seat {i + 1}'s"
        cards = tuple(self.slot(i, slot) for slot in range(int(self.box.kit.slots)))
        return Row(f"row {i}", f"{whose} row", cards, "lanes", seat=i + 1)

    def slot(self, i: int, slot: int) -> Card | Slot:
        """Return the character in a slot, or the free slot."""
        s, key = self.s, slot_key(i, slot)
        action = (S.SLOT if i == s.player else S.ENEMY) + slot
        if not s.row[i, slot]:
            return Slot(key=key, text=str(slot + 1), label="free", **self.optional_choice_fields(action))
        this = card(self.box, int(s.row[i, slot]) - 1)
        attack, health = int(attack_of(self.box.kit, s, i, slot)), int(health_of(self.box.kit, s, i, slot))
        drawing = face(this, attack, max(0, health))
        marks = self.marks(i, slot)
        whose = "your" if i == self.seat else f"Seat {i + 1}'s"
        label = ", ".join((f"{whose} slot {slot + 1}: {drawing.title}", *marks))
        chosen = self.choice_fields(action) if i == s.player or s.phase != S.MAIN else {}
        return Card(key=key, face=drawing, marks=marks, label=label, **chosen)

    def marks(self, i: int, slot: int) -> tuple[str, ...]:
        """Return the labels on a character: damage, shields, and why it can't attack."""
        s = self.s
        found = [f"{int(s.damage[i, slot])} damage"] if s.damage[i, slot] else []
        if s.shield[i, slot]:
            found.append(counted(int(s.shield[i, slot]), "shield"))
        if i == s.player and s.tired[i, slot] and not s.over:
            found.append({S.USED: "attacked", S.ARRIVED: "just arrived"}[int(s.tired[i, slot])])
        if s.attacker == slot + 1 and i == s.player:
            found.append("attacks")
        return tuple(found)

    def on_table(self) -> tuple[Row, ...]:
        """Return the card that is being played and has no slot."""
        s = self.s
        if not s.card or s.spot:
            return ()
        this = card(self.box, int(s.card) - 1)
        return (Row("card", "Now played", (Card(key=f"playing {int(s.card) - 1}", face=face(this)),), "row"),)

    def hand(self) -> Row:
        """Return the hand; equal cards are one card with a count."""
        held = in_order(self.s.hand[self.seat])
        cards = tuple(
            Card(key=f"card {n}", face=face(card(self.box, n)), count=held.count(n),
                 origin=f"draw pile {self.seat}", **self.choice_fields(S.CARD + n))
            for n in dict.fromkeys(held)
        )  # fmt: skip
        return Row("hand", "Your hand", cards, "hand", empty="Your hand is empty.", seat=self.seat + 1)

    def buttons(self) -> tuple[Button, ...]:
        """Return the button that ends the turn."""
        if S.DONE not in self.choices:
            return ()
        return (Button(text="End your turn", main=len(self.choices) == 1, **self.choice_fields(S.DONE)),)

    def question(self) -> str:
        """Return the question to this seat."""
        return question(self.box, self.s, self.choices)

    def ending(self) -> str:
        """Return how the match ended."""
        return ending(self.box, self.s, self.seat)
