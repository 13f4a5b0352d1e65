"""Five Circles: the scene of the table for a seat."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import (
    Banner, Button, Card, Colour, Face, Group, Layout, Pile, Row, PrintableScene, Seat, Slot, Track, replace,
)  # fmt: skip
from sparring.scene.pictures import custom_picture
from sparring.scene.sentences import counted

from . import using as U
from .abilities import ABILITIES
from .art import BACK, picture
from .designs import CIRCLES, PLAIN, Design, Resource
from .options import OWN, SEATS, SLOTS
from .state import (
    ANSWER, ASLEEP, AVOIDING, BOOST, BRACE, PLAY_CHARACTER, COLOURS, LANE, LONG,
    MAIN, MEND, PICK, PLACE, PLAY_RESOURCE, PLAYER, RESOURCE, SPREAD, TARGET, TOP,
    USE, State,
)  # fmt: skip
from .table import attack_of, deck_of, discard_of, health_of
from .log_sentences import ending
from .words import ability_in, name_in_play, design, next_resource, row, seat_of

INK = (
    Colour("red", "Red", "R", "diagonal"),
    Colour("blue", "Blue", "B", "waves"),
    Colour("green", "Green", "G", "dots"),
)
#: Titles of the piles of a shared deck.
TITLES = ("Deck", "Discards")
#: Phases in which a seat can use abilities of its characters in play.
USING = (MAIN, BRACE, MEND, ANSWER)
#: Lanes that are drawn even if they are empty.
FEWEST_LANES = 4


@lru_cache(maxsize=1024)
def face(
    card: Design, attack: int, health: int, initials: str, raised: tuple[str, ...] = (), lowered: tuple[str, ...] = ()
) -> Face:
    """Return the face of a character; in play, with its current attack and health, and which of them have changed."""
    circles = (*(INK[colour] for colour in sorted(card.circles)), *[None] * CIRCLES)[:CIRCLES]
    most = max(range(3), key=card.cost.__getitem__)
    drawn = custom_picture(card.picture) or picture(card.title, most)
    return Face(card.title, None, "", drawn, tuple(card.abilities), circles,
                (("attack", str(attack)), ("health", str(health))), raised, lowered, initials=initials)  # fmt: skip


@lru_cache(maxsize=256)
def resource_face(resource: Resource, initials: str) -> Face:
    """Return the face of a resource."""
    colour = COLOURS.index(resource.colour)
    art = custom_picture(resource.picture) or picture(f"{resource.colour} resource", colour)
    return Face(resource.name, INK[colour], "", art, initials=initials)


def in_words(resource: Resource) -> str:
    """Return `Red resource`, or `Ruby, Red resource` for a drawn one."""
    return f"{f'{resource.name}, ' if resource.drawn else ''}{resource.colour} resource"


class _CirclesTable(Layout[State]):
    """Lays out the scene for one seat."""

    def __init__(self, box: Box, s: State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        #: The seat whose row is drawn below: this seat, or the first for a spectator.
        self.below = max(seat, 0)

    def scene(self) -> PrintableScene:
        return replace(
            self.outline(),
            left=(Group(self.piles()), *self.known_top(), *self.drawn()),
            middle=(Group(self.rows(), down=True), *self.picking()),
            hand=(self.hand(),) if self.seat >= 0 else (), banner=self.banner(), backs=(BACK,),
            exchange=self.exchange(),
        )  # fmt: skip

    def status(self) -> str:
        return f"Turn {self.s.turn}"

    # Seats

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
        ready = ", ".join(f"{track.value} of {track.goal} {track.title} ready" for track in resources)
        chosen = self.choice_fields(PLAYER) if PLAYER in self.choices and i != s.player else {}
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tags=self.tags(i),
            tracks=(Track(f"life {i}", "Life", int(s.life[i]), style="number"), *resources),
            parts=() if i == self.seat else (hand,),
            label=", ".join(filter(None, (self.voice.name(i), f"{int(s.life[i])} life", counted(held, "card"), ready))),
            **chosen,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        tags = ["attacks" if i == s.active else "defends"] if s.window in (BRACE, LANE) and not s.over else []
        if s.serene >> i & 1:
            tags.append("protected")
        return tuple(tags)

    # Piles

    def piles(self) -> tuple[Pile, ...]:
        """Return draw and discard piles; with own decks, those of each seat."""
        parts: list[Pile] = []
        for owner in range(SEATS) if self.box.kit.decks == OWN else range(1):
            own = self.box.kit.decks == OWN
            key = f" {owner + 1}" if own else ""
            deck, discard = deck_of(self.box.kit, self.s, owner), discard_of(self.box.kit, self.s, owner)
            cards = tuple(self.printed(card, f"discard {i}") for i, card in enumerate(in_order(discard)))
            title, discards = (f"{self.whose(owner)} deck", f"{self.whose(owner)} discards") if own else TITLES
            parts.append(Pile(f"draw pile{key}", title, int(deck[0])))
            parts.append(Pile(f"discard pile{key}", discards, len(cards), cards))
        return tuple(parts)

    def whose(self, owner: int) -> str:
        """Return `Your`, `Seat 2's`."""
        return "Your" if owner == self.seat else f"Seat {owner + 1}'s"

    def known_top(self) -> tuple[Row, ...]:
        """Return the top of the deck in draw order, for the seat that knows it."""
        if self.seat < 0 or not self.s.known_top[self.seat] or self.is_arranging():
            return ()
        cards = tuple(
            self.printed(card, f"top {i}") for i, card in enumerate(self.top()[: self.s.known_top[self.seat]])
        )
        return (Row("known top", "Top of the deck", cards, "small"),)

    def drawn(self) -> Iterator[Row]:
        """Yield a row for each seat that has drawn resources on the table; the tracks say how many there are."""
        s, content = self.s, self.box.content
        for i in (1 - self.below, self.below):
            found = dict.fromkeys(
                resource for n in range(len(COLOURS)) for number in range(int(s.ready[i, n] + s.spent[i, n]))
                if (resource := content.resource(i, n, number)).drawn
            )  # fmt: skip
            cards = tuple(self.resource(f"{each.name} of {i}", each, i) for each in found)
            if cards:
                yield Row(f"resources of {i}", f"{self.whose(i)} resources", cards, "small", seat=i + 1)

    def top(self) -> list[int]:
        """Return the top of the deck from the top down, as far as abilities show it."""
        deck = deck_of(self.box.kit, self.s, max(self.seat, 0))
        return in_order(deck)[::-1][:TOP]

    def printed(self, card: int, key: str = "", **chosen: Any) -> Card:
        """Return a card that is not in play, as printed."""
        if card >= RESOURCE:
            return self.resource(key or f"resource {card}", PLAIN[card - RESOURCE], **chosen)
        this = design(self.box, card)
        return Card(key=f"card {card}", face=face(this, this.attack, this.health, self.initials(card)), **chosen)

    def initials(self, card: int) -> str:
        """Return the initials of a character's maker."""
        return str(self.box.content.decks[int(self.box.kit.card_owner[card])].initials)

    def resource(self, key: str, resource: Resource, owner: int = -1, **more: Any) -> Card:
        """Return a resource, with the initials of the seat that has it."""
        initials = self.box.content.decks[owner].initials if owner >= 0 else ""
        return Card(key=key, face=resource_face(resource, initials), label=in_words(resource), **more)

    # The rows

    def rows(self) -> tuple[Row, Row]:
        """Return the two rows, the seat's own below."""
        lanes = max(int(self.s.last[0]), int(self.s.last[1]), FEWEST_LANES)
        return self.lane_row(1 - self.below, lanes), self.lane_row(self.below, lanes)

    def lane_row(self, i: int, lanes: int) -> Row:
        """Return a seat's row with a slot for each empty lane."""
        characters = dict(row(self.s, i))
        cards = tuple(
            self.character(characters[lane], i)
            if lane in characters
            else Slot(key=f"lane {lane} of {i}", text=str(lane), label="empty")
            for lane in range(1, lanes + 1)
        )
        return Row(f"row {i}", f"{self.whose(i)} row", cards, "lanes", seat=i + 1)

    def character(self, card: int, i: int) -> Card:
        """Return a character in play with its choices."""
        this = design(self.box, card)
        attack, health = int(attack_of(self.box.kit, self.s, card)), int(health_of(self.box.kit, self.s, card))
        origin = "hand" if i == self.seat else f"seat {i + 1}"
        gains = {"attack": attack - this.attack, "health": health - this.health - int(self.s.damage[card])}
        drawing = face(
            this, attack, health, self.initials(card), tuple(word for word in gains if gains[word] > 0),
            tuple(word for word in gains if gains[word] < 0),
        )  # fmt: skip
        chosen = self.optional_choice_fields(TARGET + card)
        marks = self.marks(card)
        label = drawing.title.replace(drawing.name, name_in_play(self.box, self.s, card, self.seat), 1)
        buttons = () if chosen else self.uses(card, i)
        return Card(
            key=f"card {card}", face=drawing, marks=marks, origin=origin, label=label, choices=buttons, **chosen
        )

    def marks(self, card: int) -> tuple[str, ...]:
        """Return a character's this-turn effects and the damage it is about to take."""
        s, status = self.s, int(self.s.status[card])
        marks = [f"{int(s.damage[card])} damage"] if s.damage[card] else []
        if s.hit == card + 1:
            marks.append(f"{int(s.packet)} incoming")
        marks += [
            word for word, bit in (("asleep", ASLEEP), ("avoids", AVOIDING), ("long range", LONG)) if status & bit
        ]
        if status // BOOST & 3:
            marks.append(f"boosts +{2 * (status // BOOST & 3)}")
        chosen = int(s.target[card]) - 1
        if chosen >= 0 and seat_of(s, chosen) not in (-1, seat_of(s, card)):
            marks.append(f"targets {name_in_play(self.box, s, chosen, seat_of(s, card))}")
        return tuple(marks)

    def uses(self, card: int, i: int) -> tuple[Button, ...]:
        """Return a button for each activated ability: its effect, or why it can't be used now."""
        s = self.s
        if not self.has_turn or i != s.player or s.phase not in USING:
            return ()
        buttons = []
        for slot in range(SLOTS):
            ability, action = ability_in(self.box, card, slot), USE + card * SLOTS + slot
            if ability is None or not ability.used_in(self.box.kit):
                continue
            is_in_prompt = self.record.button(self, "use", action - USE)
            if action in self.choices and not is_in_prompt:
                buttons.append(Button(text=ability.name, label=ability.effect, **self.choice_fields(action)))
            elif action not in self.choices and s.phase != ANSWER:
                buttons.append(Button(text=ability.name, **self.choice_fields(action)))
        return tuple(buttons)

    # Piles to pick from

    def is_arranging(self) -> bool:
        """Return whether this seat is putting the top of the deck in order."""
        s = self.s
        return self.has_turn and s.phase == PICK and ABILITIES[int(s.ability)].wants == U.ARRANGE

    def picking(self) -> tuple[Row, ...]:
        """Return the pile from which a card is being picked."""
        s = self.s
        if not self.has_turn or s.phase != PICK:
            return ()
        if self.is_arranging():
            order = in_order(s.picks)
            cards = [
                self.printed(card, f"top {i}", marks=(("top", "second")[order.index(i)],))
                if i in order
                else self.printed(card, f"top {i}", **self.choice_fields(PLACE + i))
                for i, card in enumerate(self.top())
            ]
            return (Row("picks", "Top of the deck", tuple(cards), "row"),)
        if ABILITIES[int(s.ability)].wants != U.DISCARD:
            return ()
        discard = discard_of(self.box.kit, s, s.player)
        found = tuple(self.printed(int(card), f"discard {i}", **self.choice_fields(PLACE + i))
                      for i, card in enumerate(discard[1 : discard[0] + 1]))  # fmt: skip
        return (Row("picks", "Discards", found, "row"),)

    def hand(self) -> Row:
        """Return resources by colour, then characters; equal cards are one card with a count."""
        s = self.s
        held = [
            self.resource(f"hand {word}", next_resource(self.box, s, self.seat, n), self.seat, origin="draw pile",
                          count=int(s.held[self.seat, n]), **self.choice_fields(PLAY_RESOURCE + n))
            for n, word in enumerate(COLOURS) if s.held[self.seat, n]
        ]  # fmt: skip
        cards = in_order(s.hand[self.seat])
        kinds = [int(self.box.kit.card_design[card]) for card in cards]
        for card, kind in zip(cards, kinds, strict=True):
            if cards[kinds.index(kind)] == card:
                this = self.printed(card)
                held.append(Card(key=this.key, face=this.face, count=kinds.count(kind), origin="draw pile",
                                 **self.choice_fields(PLAY_CHARACTER + card)))  # fmt: skip
        return Row("hand", "Your hand", tuple(held), "hand", empty="Your hand is empty.", seat=self.seat + 1)

    def exchange(self) -> Group | None:
        """Return the lane that has just been fought, with the characters still in it."""
        s, lane = self.s, int(self.s.lane)
        if self.beat not in ("lane", "destroyed", "life lost") or s.window != LANE:
            return None
        sides = (1 - self.below, self.below)
        rows = [Row(f"lane {lane} of {i}", cards=tuple(self.character(card, i) for at, card in row(s, i) if at == lane),
                    empty="open", seat=i + 1) for i in sides]  # fmt: skip
        return Group(tuple(rows), f"Lane {lane}")

    # The prompt

    def banner(self) -> Banner | None:
        s = self.s
        if not s.over and s.phase in (ANSWER, SPREAD):
            target = name_in_play(self.box, s, int(s.hit) - 1, self.seat)
            return Banner(f"hit {s.hit}", f"{int(s.packet)} damage to {target}", seat=seat_of(s, int(s.hit) - 1) + 1)
        return None

    def ending(self) -> str:
        return ending(self.s, self.seat)


scene, outline = _CirclesTable.draw, _CirclesTable.draw_outline
