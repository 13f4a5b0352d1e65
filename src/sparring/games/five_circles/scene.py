"""Five Circles: the scene of the table for a seat, and the effects of a beat on the objects on it."""

from collections.abc import Iterator
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import (
    Banner, Button, Card, Effect, Group, Layout, Pile, PrintableScene, Row, Seat, Slot, Track, replace, win_effects,
)  # fmt: skip
from sparring.scene.sentences import Text, say

from . import abilities as A
from .abilities import ABILITIES
from .components import (
    BACK, INK, ability_in, design, face, in_words, next_resource, resource_face, row, seat_of, title_in_play,
)  # fmt: skip
from .designs import PLAIN, Resource
from .queries import attack_of, deck_of, discard_of, health_of
from .state import (
    ANSWER, ASLEEP, AVOIDING, BOOST, BRACE, COLOURS, FALLING, LANE, LONG, MAIN, MEND, OWN, PICK, PLACE, PLAY_CHARACTER,
    PLAY_RESOURCE, PLAYER, RESOURCE, SEATS, SIDE, SLOTS, SPREAD, TARGET, TOP, USE, State,
)  # fmt: skip
from .words import closed_ranks, ending

#: Phases in which a seat can use abilities of its characters in play.
USING = (MAIN, BRACE, MEND, ANSWER)
#: Lanes that are drawn even if they are empty.
FEWEST_LANES = 4


class _CirclesTable(Layout[State]):
    """Lays out the scene for one seat."""

    def __init__(self, setup: GameSetup, s: State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(setup, s, seat, choices, beat)
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

    def status(self) -> Text:
        return Text("Turn {number}", number=self.s.turn)

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        held = int(s.cards[i])
        resources = tuple(
            Track(f"{word} of {i}", say(word), int(s.ready[i, n]), int(s.ready[i, n] + s.spent[i, n]), colour=INK[n])
            for n, word in enumerate(COLOURS) if s.ready[i, n] + s.spent[i, n]
        )  # fmt: skip
        hand = Row(
            f"hand of {i}",
            cards=tuple(Card(f"seat {i} hand {n}", origin="draw pile") for n in range(held)),
            layout="small",
        )
        who, cards = self.voice.label(i), say("{n} card", "{n} cards", n=held)
        label = [say("{who}, {life} life, {cards}", who=who, life=int(s.life[i]), cards=cards)]
        ready = say("{value} of {goal} {colour} ready")  # looked up once, for speed
        label += [ready.format(value=track.value, goal=track.goal, colour=track.title) for track in resources]
        chosen = self.choice_fields(PLAYER) if PLAYER in self.choices and i != s.player else {}
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tags=self.tags(i),
            tracks=(Track(f"life {i}", say("Life"), int(s.life[i]), style="number"), *resources),
            parts=() if i == self.seat else (hand,),
            label=say(", ").join(label), **chosen,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        tags = []
        if s.window in (BRACE, LANE) and not s.over:
            tags.append(say("attacks") if i == s.active else say("defends"))
        if s.serene >> i & 1:
            tags.append(say("protected"))
        return tuple(tags)

    # Piles

    def piles(self) -> tuple[Pile, ...]:
        """Return draw and discard piles; with own decks, those of each seat."""
        parts: list[Pile] = []
        for owner in range(SEATS) if self.setup.params.decks == OWN else range(1):
            own = self.setup.params.decks == OWN
            key = f" {owner + 1}" if own else ""
            deck, discard = deck_of(self.setup.params, self.s, owner), discard_of(self.setup.params, self.s, owner)
            cards = tuple(self.printed(card, f"discard {i}") for i, card in enumerate(in_order(discard)))
            title, discards = say("Deck"), say("Discards")
            if own:
                title = str(self.voice.text("Your deck", "{who}'s deck", who=owner))
                discards = str(self.voice.text("Your discards", "{who}'s discards", who=owner))
            parts.append(Pile(f"draw pile{key}", title, int(deck[0])))
            parts.append(Pile(f"discard pile{key}", discards, len(cards), cards))
        return tuple(parts)

    def known_top(self) -> tuple[Row, ...]:
        """Return the top of the deck in draw order, for the seat that knows it."""
        if self.seat < 0 or not self.s.known_top[self.seat] or self.is_arranging():
            return ()
        cards = tuple(
            self.printed(card, f"top {i}") for i, card in enumerate(self.top()[: self.s.known_top[self.seat]])
        )
        return (Row("known top", say("Top of the deck"), cards, "small"),)

    def drawn(self) -> Iterator[Row]:
        """Yield a row for each seat that has drawn resources on the table; the tracks say how many there are."""
        s, content = self.s, self.setup.content
        for i in (1 - self.below, self.below):
            found = dict.fromkeys(
                resource for n in range(len(COLOURS)) for number in range(int(s.ready[i, n] + s.spent[i, n]))
                if (resource := content.resource(i, n, number)).drawn
            )  # fmt: skip
            cards = tuple(self.resource(f"{each.name} of {i}", each, i) for each in found)
            if cards:
                title = str(self.voice.text("Your resources", "{who}'s resources", who=i))
                yield Row(f"resources of {i}", title, cards, "small", seat=i + 1)

    def top(self) -> list[int]:
        """Return the top of the deck from the top down, as far as abilities show it."""
        deck = deck_of(self.setup.params, self.s, max(self.seat, 0))
        return in_order(deck)[::-1][:TOP]

    def printed(self, card: int, key: str = "", **chosen: Any) -> Card:
        """Return a card that is not in play, as printed."""
        if card >= RESOURCE:
            return self.resource(key or f"resource {card}", PLAIN[card - RESOURCE], **chosen)
        this = design(self.setup, card)
        return Card(key=f"card {card}", face=face(this, this.attack, this.health, self.initials(card)), **chosen)

    def initials(self, card: int) -> str:
        """Return the initials of a character's maker."""
        return str(self.setup.content.decks[int(self.setup.params.card_owner[card])].initials)

    def resource(self, key: str, resource: Resource, owner: int = -1, **more: Any) -> Card:
        """Return a resource, with the initials of the seat that has it."""
        initials = self.setup.content.decks[owner].initials if owner >= 0 else ""
        return Card(key=key, face=resource_face(resource, initials), label=in_words(resource), **more)

    # The rows

    def rows(self) -> tuple[Row, Row]:
        """Return the two rows, the seat's own below."""
        lanes = max(int(self.s.last[0]), int(self.s.last[1]), FEWEST_LANES)
        return self.lane_row(1 - self.below, lanes), self.lane_row(self.below, lanes)

    def lane_row(self, i: int, lanes: int) -> Row:
        """Return a seat's row with a slot for each empty lane."""
        characters, empty = dict(row(self.s, i)), say("empty")
        cards = tuple(
            self.character(characters[lane], i)
            if lane in characters
            else Slot(key=f"lane {lane} of {i}", text=str(lane), label=empty)
            for lane in range(1, lanes + 1)
        )
        return Row(f"row {i}", str(self.voice.text("Your row", "{who}'s row", who=i)), cards, "lanes", seat=i + 1)

    def character(self, card: int, i: int) -> Card:
        """Return a character in play with its choices."""
        this = design(self.setup, card)
        attack, health = (
            int(attack_of(self.setup.params, self.s, card)),
            int(health_of(self.setup.params, self.s, card)),
        )
        origin = "hand" if i == self.seat else f"seat {i + 1}"
        gains = {"attack": attack - this.attack, "health": health - this.health - int(self.s.damage[card])}
        drawing = face(
            this, attack, health, self.initials(card), tuple(word for word in gains if gains[word] > 0),
            tuple(word for word in gains if gains[word] < 0),
        )  # fmt: skip
        chosen = self.optional_choice_fields(TARGET + card)
        marks = self.marks(card)
        called = str(title_in_play(self.setup, self.s, card, self.seat))
        label = "" if called == drawing.name else drawing.title.replace(drawing.name, called, 1)
        buttons = () if chosen else self.uses(card, i)
        return Card(
            key=f"card {card}", face=drawing, marks=marks, origin=origin, label=label, choices=buttons, **chosen
        )

    def marks(self, card: int) -> tuple[str, ...]:
        """Return a character's this-turn effects and the damage it is about to take."""
        s, status = self.s, int(self.s.status[card])
        marks = [say("{damage} damage", damage=int(s.damage[card]))] if s.damage[card] else []
        if s.hit == card + 1:
            marks.append(say("{points} incoming", points=int(s.packet)))
        if status & ASLEEP:
            marks.append(say("asleep"))
        if status & AVOIDING:
            marks.append(say("avoids"))
        if status & LONG:
            marks.append(say("long range"))
        if status // BOOST & 3:
            marks.append(say("boosts +{points}", points=2 * (status // BOOST & 3)))
        chosen = int(s.target[card]) - 1
        if chosen >= 0 and seat_of(s, chosen) not in (-1, seat_of(s, card)):
            marks.append(say("targets {card}", card=title_in_play(self.setup, s, chosen, seat_of(s, card))))
        return tuple(marks)

    def uses(self, card: int, i: int) -> tuple[Button, ...]:
        """Return a button for each activated ability: its effect, or why it can't be used now."""
        s = self.s
        if not self.has_turn or i != s.player or s.phase not in USING:
            return ()
        buttons = []
        for slot in range(SLOTS):
            ability, action = ability_in(self.setup, card, slot), USE + card * SLOTS + slot
            if (
                ability is None
                or not ability.used_in(self.setup.params)
                or self.record.button(self, "use", action - USE)
            ):
                continue
            if action in self.choices or s.phase != ANSWER:
                label = str(ability.effect) if action in self.choices else ""
                buttons.append(Button(text=ability.name, label=label, **self.choice_fields(action)))
        return tuple(buttons)

    # Piles to pick from

    def is_arranging(self) -> bool:
        """Return whether this seat is putting the top of the deck in order."""
        s = self.s
        return self.has_turn and s.phase == PICK and ABILITIES[int(s.ability)].wants == A.ARRANGE

    def picking(self) -> tuple[Row, ...]:
        """Return the pile from which a card is being picked."""
        s = self.s
        if not self.has_turn or s.phase != PICK:
            return ()
        if self.is_arranging():
            order, places = in_order(s.picks), (say("top"), say("second"))
            cards = [
                self.printed(card, f"top {i}", marks=(places[order.index(i)],))
                if i in order
                else self.printed(card, f"top {i}", **self.choice_fields(PLACE + i))
                for i, card in enumerate(self.top())
            ]
            return (Row("picks", say("Top of the deck"), tuple(cards), "row"),)
        if ABILITIES[int(s.ability)].wants != A.DISCARD:
            return ()
        discard = discard_of(self.setup.params, s, s.player)
        found = tuple(self.printed(int(card), f"discard {i}", **self.choice_fields(PLACE + i))
                      for i, card in enumerate(discard[1 : discard[0] + 1]))  # fmt: skip
        return (Row("picks", say("Discards"), found, "row"),)

    def hand(self) -> Row:
        """Return resources by colour, then characters; equal cards are one card with a count."""
        s = self.s
        held = [
            self.resource(f"hand {word}", next_resource(self.setup, s, self.seat, n), self.seat, origin="draw pile",
                          count=int(s.held[self.seat, n]), **self.choice_fields(PLAY_RESOURCE + n))
            for n, word in enumerate(COLOURS) if s.held[self.seat, n]
        ]  # fmt: skip
        cards = in_order(s.hand[self.seat])
        kinds = [int(self.setup.params.card_design[card]) for card in cards]
        for card, kind in zip(cards, kinds, strict=True):
            if cards[kinds.index(kind)] == card:
                this = self.printed(card)
                held.append(Card(key=this.key, face=this.face, count=kinds.count(kind), origin="draw pile",
                                 **self.choice_fields(PLAY_CHARACTER + card)))  # fmt: skip
        return Row("hand", say("Your hand"), tuple(held), "hand", empty=say("Your hand is empty."),
                   seat=self.seat + 1)  # fmt: skip

    def exchange(self) -> Group | None:
        """Return the lane that has just been fought, with the characters still in it."""
        s, lane = self.s, int(self.s.lane)
        if self.beat not in ("lane", "destroyed", "life lost") or s.window != LANE:
            return None
        sides = (1 - self.below, self.below)
        rows = [Row(f"lane {lane} of {i}", cards=tuple(self.character(card, i) for at, card in row(s, i) if at == lane),
                    empty=say("open"), seat=i + 1) for i in sides]  # fmt: skip
        return Group(tuple(rows), say("Lane {lane}", lane=lane))

    # The prompt

    def banner(self) -> Banner | None:
        s = self.s
        if not s.over and s.phase in (ANSWER, SPREAD):
            target = title_in_play(self.setup, s, int(s.hit) - 1, self.seat)
            text = say("{points} damage to {card}", points=int(s.packet), card=target)
            return Banner(f"hit {s.hit}", text, seat=seat_of(s, int(s.hit) - 1) + 1)
        return None

    def ending(self) -> Text:
        return ending(self.s, self.seat)


scene, outline = _CirclesTable.draw, _CirclesTable.draw_outline


# The effects of a beat


def effects(
    setup: GameSetup, before: State, action: int | None, after: State, seat: int, beat: str = ""
) -> list[Effect]:
    """Return the effects: a lane that fights, damage to characters and their destruction, lost life, the winner."""
    found = _fought(before, after, beat)
    found += [Effect("move", target=f"card {card}") for card, _ in closed_ranks(before, after)]
    in_play = [card for card in range(setup.params.characters) if after.at[card]]
    for card in in_play:
        damage = int(after.damage[card] - before.damage[card]) if before.at[card] else 0
        if damage > 0:
            found.append(Effect("hit", _opponent(after, card), f"card {card}", damage))
    for loser in range(SEATS):
        lost = int(before.life[loser] - after.life[loser])
        if lost > 0:
            found.append(Effect("hit", _attacker(after) if loser != after.active else "", f"life {loser}", lost))
    if beat == "destroyed":
        found += [Effect("destroy", target=f"card {card}") for card in in_play if after.status[card] & FALLING]
    elif beat == "lane" and found and all(effect.kind == "clash" for effect in found):
        found.append(Effect("block", found[0].source, found[0].target, word="No damage"))
    return found if beat else found + win_effects(after)


def _fought(before: State, after: State, beat: str) -> list[Effect]:
    """Return the clash of a lane at its first beat: of two characters, or of one and an empty place."""
    attacker, lane, other = _attacker(after), int(after.lane), 1 - int(after.active)
    if beat not in ("lane", "destroyed", "life lost") or not attacker or not _is_new(before, after):
        return []
    return [Effect("clash", attacker, _in_lane(after, other) or f"lane {lane} of {other}")]


def _is_new(before: State, after: State) -> bool:
    """Return whether the lane that is fought wasn't shown before."""
    return bool(before.window != LANE or before.lane < after.lane)


def _in_lane(s: State, seat: int) -> str:
    """Return the key of a seat's character in the lane that is fought; empty if there is none."""
    card = int(s.row[seat * SIDE + s.lane]) if s.window == LANE and s.lane else 0
    return f"card {card - 1}" if card else ""


def _attacker(s: State) -> str:
    return _in_lane(s, int(s.active))


def _opponent(s: State, card: int) -> str:
    """Return the key of the other character in the lane of a character that is hit; empty outside combat."""
    sides = [_in_lane(s, seat) for seat in range(SEATS)]
    return sides[1 - sides.index(f"card {card}")] if f"card {card}" in sides else ""
