"""Five Circles: the table as a seat sees it."""

from functools import lru_cache
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import (
    Banner, Button, Card, Colour, Face, Group, Layout, Pile, Row, Scene, Seat, Slot, Track, replace,
)  # fmt: skip
from sparring.scene.pictures import own_picture
from sparring.scene.sentences import counted

from . import using as U
from .abilities import ABILITIES
from .art import BACK, picture
from .designs import CIRCLES, Design
from .options import OWN
from .rules import can_act, make_ready
from .state import (
    ANSWER, ASLEEP, ATTACK, AVOIDING, BOOST, BRACE, BRING, COLOURS, DONE, EXTRA, HOLD_BACK, KEEP, LANE, LONG,
    MAIN, MEND, NONE, PICK, PLACE, PLAY, PLAYER, RESOURCE, RESOURCES_PHASE, SEATS, SIDE, SLOTS, SPREAD, TAKE,
    TARGET, TOP, USE,
)  # fmt: skip
from .table import attack_of, deck_of, discard_of, fights, health_of, is_doomed
from .telling import ending, tell
from .words import ability_in, aliases, called, design, row, seat_of, why_not, why_not_use, words

__all__ = ["ONLY", "aliases", "scene", "tell", "why_not", "words"]

#: Why there is only one choice, by phase.
ONLY = {PICK: "Only one can be chosen:"}

INK = (
    Colour("red", "Red", "R", "diagonal"),
    Colour("blue", "Blue", "B", "waves"),
    Colour("green", "Green", "G", "dots"),
)
#: Phases in which a seat uses abilities of its characters in play.
USING = (MAIN, BRACE, MEND, ANSWER)
#: Lanes that are drawn even if nobody stands there.
FEWEST_LANES = 4


def scene(box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> Scene:
    """The table for `seat` (from 0; negative: somebody who watches)."""
    return _Table(box, s, seat, choices, beat).scene()


def outline(box: Box, s: Any) -> Scene:
    """The table for somebody who watches, without what lies on it."""
    return _Table(box, s, -1, [], "").outline()


@lru_cache(maxsize=1024)
def face(card: Design, attack: int, health: int) -> Face:
    """What a character looks like; in play with what its attack and health come to now."""
    circles = (*(INK[colour] for colour in sorted(card.circles)), *[None] * CIRCLES)[:CIRCLES]
    most = max(range(3), key=card.cost.__getitem__)
    drawn = own_picture(card.picture) or picture(card.name, most)
    return Face(card.name, None, "", drawn, tuple(card.abilities), circles,
                (("attack", str(attack)), ("health", str(health))))  # fmt: skip


@lru_cache(maxsize=3)
def resource_face(colour: int) -> Face:
    """What a resource looks like."""
    return Face(COLOURS[colour], INK[colour], "", picture(f"{COLOURS[colour]} resource", colour))


class _Table(Layout):
    """One seat's table being laid out."""

    waiting = (
        "may play resources", "brings characters and uses abilities", "prepares for the attack", "decides who attacks",
        "may heal", "may bring another character", "picks for an ability", "answers the damage", "hands damage on",
    )  # fmt: skip

    def __init__(self, box: Box, s: Any, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        #: Whose row lies below: the seat's own.
        self.below = max(seat, 0)

    def scene(self) -> Scene:
        return replace(
            self.outline(),
            left=(Group(self.piles()), *self.known_top()), middle=(Group(self.rows(), down=True), *self.picking()),
            hand=(self.hand(),) if self.seat >= 0 else (), banner=self.banner(), backs=(BACK,),
            exchange=self.exchange(),
        )  # fmt: skip

    def status(self) -> str:
        return f"Turn {self.s.turn}"

    # Who plays

    def panel(self, i: int) -> Seat:
        s = self.s
        held = int(s.cards[i])
        resources = tuple(
            Track(f"{word} of {i}", word, int(s.ready[i, n]), int(s.ready[i, n] + s.spent[i, n]), colour=INK[n])
            for n, word in enumerate(COLOURS) if s.ready[i, n] + s.spent[i, n]
        )  # fmt: skip
        hand = Row(
            f"hand of {i}",
            cards=tuple(Card(f"seat {i} hand {n}", origin="draw pile") for n in range(held)),
            layout="small",
        )
        told = ", ".join(f"{track.value} of {track.goal} {track.title} ready" for track in resources)
        chosen = self.chosen(PLAYER) if PLAYER in self.choices and i != s.player else {}
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.waited_for, tags=self.tags(i),
            tracks=(Track(f"life {i}", "Life", int(s.life[i]), style="number"), *resources),
            parts=() if i == self.seat else (hand,),
            label=", ".join(filter(None, (self.voice.name(i), f"{int(s.life[i])} life", counted(held, "card"), told))),
            **chosen,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        tags = ["attacks" if i == s.active else "defends"] if s.window in (BRACE, LANE) and not s.over else []
        if s.serene >> i & 1:
            tags.append("serene")
        return tuple(tags)

    # Piles

    def piles(self) -> tuple[Pile, ...]:
        """Draw and discard piles; with own decks each seat's."""
        parts: list[Pile] = []
        for owner in range(SEATS) if self.box.kit.decks == OWN else range(1):
            whose = f" of {self.voice.whom(owner)}" if self.box.kit.decks == OWN else ""
            key = f" {owner + 1}" if whose else ""
            discard = discard_of(self.box.kit, self.s, owner)
            lying = tuple(self.printed(card, f"discard {i}") for i, card in enumerate(in_order(discard)))
            parts.append(Pile(f"draw pile{key}", f"Deck{whose}", int(deck_of(self.box.kit, self.s, owner)[0])))
            parts.append(Pile(f"discard pile{key}", f"Discards{whose}", len(lying), lying))
        return tuple(parts)

    def known_top(self) -> tuple[Row, ...]:
        """The top of the deck, for the seat that knows it, in the order it will be drawn."""
        if self.seat < 0 or not self.s.known_top[self.seat] or self.arranging():
            return ()
        cards = tuple(
            self.printed(card, f"top {i}") for i, card in enumerate(self.top()[: self.s.known_top[self.seat]])
        )
        return (Row("known top", "You know the top", cards, "small"),)

    def top(self) -> list[int]:
        """The top of the deck from the top down, as far as abilities see it."""
        deck = deck_of(self.box.kit, self.s, max(self.seat, 0))
        return in_order(deck)[::-1][:TOP]

    def printed(self, card: int, key: str = "", **chosen: Any) -> Card:
        """A card that is not in play, as it is printed."""
        if card >= RESOURCE:
            return Card(key=key or f"resource {card}", face=resource_face(card - RESOURCE),
                        label=f"{COLOURS[card - RESOURCE]} resource", **chosen)  # fmt: skip
        this = design(self.box, card)
        return Card(key=f"card {card}", face=face(this, this.attack, this.health), **chosen)

    # The rows

    def rows(self) -> tuple[Row, Row]:
        """The two rows, lane by lane; the seat's own below."""
        lanes = max(int(self.s.last[0]), int(self.s.last[1]), FEWEST_LANES)
        return self.lane_row(1 - self.below, lanes), self.lane_row(self.below, lanes)

    def lane_row(self, i: int, lanes: int) -> Row:
        standing = dict(row(self.s, i))
        cards = tuple(
            self.character(standing[lane], i)
            if lane in standing
            else Slot(key=f"lane {lane} of {i}", text=str(lane), label="empty")
            for lane in range(1, lanes + 1)
        )
        whose = "Your row" if i == self.seat else f"Row of Seat {i + 1}"
        return Row(f"row {i}", whose, cards, "lanes", seat=i + 1)

    def character(self, card: int, i: int) -> Card:
        """A character in play, with what can be done with it."""
        this = design(self.box, card)
        attack, health = int(attack_of(self.box.kit, self.s, card)), int(health_of(self.box.kit, self.s, card))
        origin = "hand" if i == self.seat else f"seat {i + 1}"
        drawing = face(this, attack, health)
        chosen = self.offered(TARGET + card)
        marks = self.marks(card)
        label = drawing.title.replace(drawing.name, called(self.box, self.s, card, self.seat), 1)
        buttons = () if chosen else self.uses(card, i)
        return Card(
            key=f"card {card}", face=drawing, marks=marks, origin=origin, label=label, choices=buttons, **chosen
        )

    def marks(self, card: int) -> tuple[str, ...]:
        """What this turn has done to a character, and what is about to happen to it."""
        s, status = self.s, int(self.s.status[card])
        marks = [f"{int(s.damage[card])} damage"] if s.damage[card] else []
        if s.hit == card + 1:
            marks.append(f"{int(s.packet)} coming")
        marks += [
            word for word, bit in (("asleep", ASLEEP), ("avoids", AVOIDING), ("long range", LONG)) if status & bit
        ]
        if status // BOOST & 3:
            marks.append(f"lends +{2 * (status // BOOST & 3)}")
        chosen = int(s.target[card]) - 1
        if chosen >= 0 and seat_of(s, chosen) not in (-1, seat_of(s, card)):
            marks.append(f"at {called(self.box, s, chosen, seat_of(s, card))}")
        return tuple(marks)

    def uses(self, card: int, i: int) -> tuple[Button, ...]:
        """A button for each ability that is paid for or picked: what it does, or why it cannot be used now."""
        s = self.s
        if not self.asked or i != s.player or s.phase not in USING:
            return ()
        buttons = []
        for slot in range(SLOTS):
            ability, action = ability_in(self.box, card, slot), USE + card * SLOTS + slot
            if ability is None or not ability.used_in(self.box.kit) or action in self.answers():
                continue
            if action in self.choices:
                said = words(self.box, s, action)
                buttons.append(Button(text=ability.name, action=action, words=said, label=ability.effect))
            elif s.phase != ANSWER:
                buttons.append(Button(text=ability.name, why_not=why_not_use(self.box, s, card, slot)))
        return tuple(buttons)

    def answers(self) -> list[int]:
        """The answers of the character that is hit itself."""
        s = self.s
        if s.phase != ANSWER:
            return []
        first = USE + (int(s.hit) - 1) * SLOTS
        return [action for action in range(first, first + SLOTS) if action in self.choices and self.word(action)]

    def word(self, action: int) -> str:
        ability = ability_in(self.box, (action - USE) // SLOTS, (action - USE) % SLOTS)
        return ability.word if ability else ""

    # What lies open to be picked from

    def arranging(self) -> bool:
        """Whether this seat is putting the top of the deck in order."""
        s = self.s
        return self.asked and s.phase == PICK and ABILITIES[int(s.ability)].wants == U.ARRANGE

    def picking(self) -> tuple[Row, ...]:
        """The pile that a card is to be picked from."""
        s = self.s
        if not self.asked or s.phase != PICK:
            return ()
        if self.arranging():
            order = s.picks[1 : s.picks[0] + 1].tolist()
            cards = [
                self.printed(card, f"top {i}", marks=(("top", "second")[order.index(i)],))
                if i in order
                else self.printed(card, f"top {i}", **self.chosen(PLACE + i))
                for i, card in enumerate(self.top())
            ]
            return (Row("picks", "The top of the deck", tuple(cards), "row"),)
        if ABILITIES[int(s.ability)].wants != U.DISCARD:
            return ()
        discard = discard_of(self.box.kit, s, s.player)
        found = tuple(self.printed(int(card), f"discard {i}", **self.chosen(PLACE + i))
                      for i, card in enumerate(discard[1 : discard[0] + 1]))  # fmt: skip
        return (Row("picks", "The discard pile", found, "row"),)

    def hand(self) -> Row:
        """Resources by colour, then characters, equal ones as one card with a count."""
        s = self.s
        held = [
            Card(key=f"hand {word}", face=resource_face(n), count=int(s.held[self.seat, n]), origin="draw pile",
                 label=f"{word} resource", **self.chosen(PLAY + n))
            for n, word in enumerate(COLOURS) if s.held[self.seat, n]
        ]  # fmt: skip
        cards = s.hand[self.seat, 1 : s.hand[self.seat, 0] + 1].tolist()
        kinds = [int(self.box.kit.card_design[card]) for card in cards]
        for card, kind in zip(cards, kinds, strict=True):
            if cards[kinds.index(kind)] == card:
                this = self.printed(card)
                held.append(Card(key=this.key, face=this.face, count=kinds.count(kind), origin="draw pile",
                                 **self.chosen(BRING + card)))  # fmt: skip
        return Row("hand", "Your hand", tuple(held), "hand", empty="Your hand is empty.", seat=self.seat + 1)

    def exchange(self) -> Group | None:
        """The lane that has just been fought, as far as its characters stand there still."""
        s, lane = self.s, int(self.s.lane)
        if self.beat not in ("lane", "destroyed", "life lost") or s.window != LANE:
            return None
        sides = (1 - self.below, self.below)
        rows = [Row(f"lane {lane} of {i}", cards=tuple(self.character(card, i) for at, card in row(s, i) if at == lane),
                    empty="open", seat=i + 1) for i in sides]  # fmt: skip
        return Group(tuple(rows), f"Lane {lane}")

    # What is asked

    def banner(self) -> Banner | None:
        s = self.s
        if not s.over and s.phase in (ANSWER, SPREAD):
            who = called(self.box, s, int(s.hit) - 1, self.seat)
            return Banner(f"hit {s.hit}", f"{int(s.packet)} on {who}", seat=seat_of(s, int(s.hit) - 1) + 1)
        return None

    def ending(self) -> str:
        return ending(self.s, self.seat)

    def question(self) -> str:
        s = self.s
        if s.phase == RESOURCES_PHASE:
            return f"Play {'up to two resources' if s.laid == 0 else 'one more resource'}, or lay no more."
        if s.phase == MAIN:
            fight = "then your characters attack" if fights(self.box.kit, s) else "there is no combat this turn"
            return f"Bring characters and use abilities; {fight}.{self.calm()}"
        if s.phase == BRACE:
            return "You are about to be attacked. Use abilities, or face it."
        if s.phase == LANE:
            card = int(s.row[s.active * SIDE + s.lane]) - 1
            paid = " If it holds back, what it paid is lost." if s.target[card] or s.status[card] & LONG else ""
            return f"Does {called(self.box, s, card, self.seat)} attack?{paid}{self.calm()}"
        if s.phase == MEND:
            return "Combat is over. Heal your wounded, or end your turn."
        if s.phase == EXTRA:
            once = " It works only now." if self.box.options["extra"] == "entry" else ""
            return f"Extra Card: bring another character for free.{once}"
        if s.phase == PICK:
            harms = ABILITIES[int(s.ability)].wants in (U.ENEMY, U.ENEMY_OR_PLAYER)
            return f"{ABILITIES[int(s.ability)].name}: {self.pick_what()}{self.calm() if harms else ''}"
        who, points = called(self.box, s, int(s.hit) - 1, self.seat), int(s.packet)
        if s.phase == ANSWER:
            return f"{points} damage is about to land on {who}: {self.after_landing(int(s.hit) - 1, points)}."
        return f"Hand {points} point{'' if points == 1 else 's'} of damage on, one by one, or keep the rest on {who}."

    def calm(self) -> str:
        """That Serenity makes every attack on the other player idle in this turn (R50)."""
        idle = self.s.serene >> 1 - self.seat & 1
        return " Serenity stops all damage to the other side in this turn." if idle else ""

    def after_landing(self, card: int, points: int) -> str:
        """What becomes of a character when the damage has landed (R26)."""
        later = self.s.copy()
        later.damage[card] += points
        if is_doomed(self.box.kit, later, card):
            return "that destroys it"
        return f"it stands, with {int(later.damage[card])} damage on {int(health_of(self.box.kit, later, card))} health"

    def pick_what(self) -> str:
        wants = ABILITIES[int(self.s.ability)].wants
        if wants == U.PAIR and self.s.first:
            return "which of your characters takes that place?"
        if wants == U.ARRANGE and self.s.picks[0]:
            return "which card comes next?"
        return PICKS[wants]

    def buttons(self) -> tuple[Button, ...]:
        """The choices that are neither a card nor a seat."""
        texts = [(action, self.word(action).capitalize()) for action in self.answers()]
        texts += [(action, text or self.done()) for action, text in TEXTS.items() if action in self.choices]
        return tuple(
            Button(text=text, action=action, words=words(self.box, self.s, action), main=action in (DONE, TAKE, ATTACK))
            for action, text in texts
        )

    def done(self) -> str:
        """What `done` ends, or sets going."""
        kit, s = self.box.kit, self.s
        if s.phase == BRACE:
            return "Face the attack"
        if s.phase == RESOURCES_PHASE:
            later = s.copy()
            make_ready(kit, later)
            if can_act(kit, later):
                return "Lay no more"
        row = s.row[self.seat * SIDE + 1 : self.seat * SIDE + s.last[self.seat] + 1]
        attacks = fights(kit, s) and any(card and not s.status[card - 1] & ASLEEP for card in row)
        return "Attack now" if attacks and s.phase != MEND else "End your turn"


#: How buttons say the choices of one word; `done` differs from phase to phase.
TEXTS = {
    DONE: "", NONE: "Bring nobody", TAKE: "Take the damage", KEEP: "Keep the rest", ATTACK: "Attack",
    HOLD_BACK: "Hold back",
}  # fmt: skip

#: What is picked, by what the ability wants.
PICKS = {
    U.ENEMY: "which enemy does it attack?", U.ENEMY_OR_PLAYER: "whom does it hit?", U.AWAKE_ENEMY: "who falls asleep?",
    U.HURT: "whom does it heal?", U.PAIR: "which of your characters moves?", U.DISCARD: "which card comes back?",
    U.ARRANGE: "which card comes on top?",
}  # fmt: skip
