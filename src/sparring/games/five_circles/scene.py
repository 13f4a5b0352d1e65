"""Five Circles: the scene of the table for a seat, the effects of a beat, and log sentences."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import (
    Banner, Button, Card, Effect, Group, Layout, Pile, PrintableScene, Row, Seat, Slot, Track, replace,
)  # fmt: skip
from sparring.scene.sentences import Text, Voice, aside, mention, result, say, turn

from . import abilities as A
from .abilities import ABILITIES, FIREBALL, attack_of, health_of
from .components import (
    ability_in, closed_ranks, damage_taken, design, ending, falling_in, in_lane, is_new_lane, life_lost, name,
    next_resource, pile_to_pick, seat_of, title_in_play,
)  # fmt: skip
from .designs import BACK, INK, PLAIN, Resource, face, in_words, resource_face
from .phases import UsePhase, destroyed, destruction
from .state import (
    ACTIONS, ANSWER, ASLEEP, AVOIDING, BOOST, BRACE, COLOURS, DONE, LANE, LONG, MAIN, OWN, PICK, PLACE, PLAYER,
    PLAY_CHARACTER, PLAY_RESOURCE, RESOURCE, RESOURCES_PHASE, SEATS, SLOTS, SPREAD, TARGET, USE, State, deck_of,
    discard_of, row_of,
)  # fmt: skip

#: This-turn effects on a character.
STATUS_TEXTS = {ASLEEP: "asleep", AVOIDING: "avoids", LONG: "long range"}
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
        deck = deck_of(self.setup.params, self.s, self.seat)
        top = in_order(deck)[::-1][: self.s.known_top[self.seat]]
        cards = tuple(self.printed(card, f"top {i}") for i, card in enumerate(top))
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
        characters, empty = dict(row_of(self.s, i)), say("empty")
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
        attack, health = (int(value(self.setup.params, self.s, card)) for value in (attack_of, health_of))
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
        marks += [say(text) for bit, text in STATUS_TEXTS.items() if status & bit]
        if status // BOOST & 3:
            marks.append(say("boosts +{points}", points=2 * (status // BOOST & 3)))
        chosen = int(s.target[card]) - 1
        if chosen >= 0 and seat_of(s, chosen) not in (-1, seat_of(s, card)):
            marks.append(say("targets {card}", card=title_in_play(self.setup, s, chosen, seat_of(s, card))))
        return tuple(marks)

    def uses(self, card: int, i: int) -> tuple[Button, ...]:
        """Return a button for each activated ability: its effect, or why it can't be used now."""
        s = self.s
        if not self.has_turn or i != s.player or not isinstance(self.record, UsePhase):
            return ()
        buttons = []
        for slot in range(SLOTS):
            ability, action = ability_in(self.setup, card, slot), USE + card * SLOTS + slot
            if ability is None or not ability.used_in(self.setup.params):
                continue
            if self.record.button(self, "use", action - USE):
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
        """Return the pile from which a card is being picked; cards that have been put in order have their place."""
        cards = pile_to_pick(self.setup, self.s) if self.has_turn else []
        if not cards:
            return ()
        key, title = ("top", say("Top of the deck")) if self.is_arranging() else ("discard", say("Discards"))
        order, places = in_order(self.s.picks), (say("top"), say("second"))
        shown = [
            self.printed(card, f"{key} {i}", marks=(places[order.index(i)],))
            if i in order
            else self.printed(card, f"{key} {i}", **self.choice_fields(PLACE + i))
            for i, card in enumerate(cards)
        ]
        return (Row("picks", title, tuple(shown), "row"),)

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
                chosen = self.choice_fields(PLAY_CHARACTER + card)
                held.append(self.printed(card, count=kinds.count(kind), origin="draw pile", **chosen))
        return Row("hand", say("Your hand"), tuple(held), "hand", empty=say("Your hand is empty."),
                   seat=self.seat + 1)  # fmt: skip

    def exchange(self) -> Group | None:
        """Return the lane that has just been fought, with the characters still in it."""
        s, lane = self.s, int(self.s.lane)
        if self.beat not in ("lane", "destroyed", "life lost") or s.window != LANE:
            return None
        rows = []
        for i in (1 - self.below, self.below):
            card = in_lane(s, i)
            cards = (self.character(card, i),) if card >= 0 else ()
            rows.append(Row(f"lane {lane} of {i}", cards=cards, empty=say("open"), seat=i + 1))
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
        return ending(self.s, self.voice)

    def events(self, before: State, action: int | None) -> list[Text]:
        return events(self.setup, before, action, self.s, self.voice, self.beat)

    def effects(self, before: State, action: int | None) -> list[Effect]:
        return effects(before, self.s, self.beat)


SeatTable = _CirclesTable


# The effects of a beat


def effects(before: State, after: State, beat: str) -> list[Effect]:
    """Return the effects: a lane that fights, damage to characters and their destruction, lost life."""
    attacker, found = _key(in_lane(after, int(after.active))), _fought(before, after, beat)
    found += [Effect("move", target=_key(card)) for card, _ in closed_ranks(before, after)]
    for card, damage in damage_taken(before, after).items():
        found.append(Effect("hit", _opponent(after, card), _key(card), damage))
    for loser, lost in life_lost(before, after).items():
        found.append(Effect("hit", attacker if loser != after.active else "", f"life {loser}", lost))
    if beat == "destroyed":
        found += [Effect("destroy", target=_key(card)) for card in falling_in(after)]
    elif beat == "lane" and found and all(effect.kind == "clash" for effect in found):
        found.append(Effect("block", found[0].source, found[0].target, word="No damage"))
    return found


def _fought(before: State, after: State, beat: str) -> list[Effect]:
    """Return the clash of a lane at its first beat: of two characters, or of one and an empty place."""
    attacker, other = in_lane(after, int(after.active)), 1 - int(after.active)
    if beat not in ("lane", "destroyed", "life lost") or attacker < 0 or not is_new_lane(before, after):
        return []
    return [Effect("clash", _key(attacker), _key(in_lane(after, other)) or f"lane {int(after.lane)} of {other}")]


def _opponent(s: State, card: int) -> str:
    """Return the key of the other character in the lane of a character that is hit; empty outside combat."""
    sides = [in_lane(s, seat) for seat in range(SEATS)]
    return _key(sides[1 - sides.index(card)]) if card in sides else ""


def _key(card: int) -> str:
    """Return the key of a character; empty for none (-1)."""
    return f"card {card}" if card >= 0 else ""


# The log


def events(setup: GameSetup, before: State, action: int | None, after: State, voice: Voice, beat: str) -> list[Text]:
    """Return log sentences: damage and destruction, a new turn, drawn cards."""
    lines = _damage(setup, before, after, beat, voice)
    lines += [
        Text(
            "{card} moves up to lane {lane}.",
            card=title_in_play(setup, after, card, voice.seat, starts=True),
            lane=lane,
        )
        for card, lane in closed_ranks(before, after)
    ]
    passed = _nothing_to_play(before, action, after, voice) or _passes(before, action, after, voice)
    lines += passed
    if after.turn != before.turn:
        forms = "Your turn (turn {number}).", "{who}'s turn (turn {number})."
        lines.append(turn(voice.text(*forms, who=after.active, number=after.turn)))
    lines += _drawn(setup, before, action, after, voice)
    if beat == "combat" and not passed:
        lines.append(voice.text("You attack.", "{who} attacks.", who=after.active))
    elif beat == "reshuffled":
        lines.append(aside(Text("The discards are shuffled into a new deck.")))
    return lines


# Parts of the turn that are skipped


def _nothing_to_play(before: State, action: int | None, after: State, voice: Voice) -> list[Text]:
    """Return a sentence for the player only, if MAIN was skipped because they had nothing (else) to play."""
    if voice.seat != before.active or before.window not in (RESOURCES_PHASE, MAIN):
        return []
    same_turn = after.turn == before.turn
    if (same_turn and after.window in (RESOURCES_PHASE, MAIN)) or action == DONE:
        return []
    untouched = before.window == RESOURCES_PHASE and action is None
    if same_turn and after.window in (BRACE, LANE):
        forms = "Nothing to play: your characters attack.", "Nothing else to play: your characters attack."
    else:
        forms = "Nothing to play.", "Nothing else to play."
    return [Text(forms[0 if untouched else 1])]


def _passes(before: State, action: int | None, after: State, voice: Voice) -> list[Text]:
    """Return a sentence if a turn has ended in which its player did nothing; everyone can see that."""
    player = int(before.active)
    ended = after.turn != before.turn and before.window in (RESOURCES_PHASE, MAIN) and action in (None, DONE)
    idle = ended and not before.laid and not before.last[player] and not after.last[player]
    return [voice.text("You pass.", "{who} passes.", who=player)] if idle else []


# Damage and destruction


def _damage(setup: GameSetup, before: State, after: State, beat: str, voice: Voice) -> list[Text]:
    """Return who takes damage, who is destroyed by it and who loses life; in combat for one lane."""
    taken, lost = damage_taken(before, after), life_lost(before, after)
    falling = falling_in(after) if beat == "destroyed" else []
    if falling and not (taken or lost or _is_in_lane(after)):
        return [result(destruction(setup, after, falling, voice), hit=True)]
    parts = _damage_of_each(setup, after, taken, falling, voice)
    parts += [_lost_life(setup, after, seat, points, voice) for seat, points in lost.items()]
    harmless = not parts and beat == "lane" and is_new_lane(before, after)
    if harmless:
        parts = [Text("no damage")]
    if not parts:
        return []
    told = reduce(lambda one, other: Text("{one}; {other}", one=one, other=other), parts)
    if _is_in_lane(after):
        return [result(Text("Lane {lane}: {told}.", lane=after.lane, told=told), hit=not harmless)]
    # Outside a lane, only Fireball deals damage.
    return [result(Text("{ability}: {told}.", ability=ABILITIES[FIREBALL].name, told=told), hit=True)]


def _damage_of_each(setup: GameSetup, s: State, taken: dict[int, int], falling: list[int], voice: Voice) -> list[Text]:
    """Return the damage and destruction of each character."""
    names = {card: title_in_play(setup, s, card, voice.seat) for card in (*taken, *falling)}
    if _is_even_exchange(s, taken):
        points = next(iter(taken.values()))
        values = {"cards": [names[card] for card in taken], "points": points}
        both = Text("{cards} deal {points} damage to each other", **values)
        if not falling:
            return [both]
        if set(falling) == set(taken):
            return [both, Text("both are destroyed")]
        return [both, destroyed([names[card] for card in falling])]
    parts = []
    for card, points in taken.items():
        forms = "{card} takes {points} damage"
        if card in falling:
            forms = "{card} takes {points} damage and is destroyed"
        parts.append(Text(forms, card=names[card], points=points))
    others = [names[card] for card in falling if card not in taken]
    return [*parts, *([destroyed(others)] if others else [])]


def _is_even_exchange(s: State, taken: dict[int, int]) -> bool:
    """Return whether two characters have struck each other for the same damage, without reflection."""
    fought = {int(s.hitter) - 1, int(s.striker) - 1}
    alone = s.struck == s.striker and not s.reflected and not s.mirror
    return bool(_is_in_lane(s) and alone and set(taken) == fought and len(set(taken.values())) == 1)


def _lost_life(setup: GameSetup, s: State, seat: int, points: int, voice: Voice) -> Text:
    """Return who loses life, and in combat which attacker takes it."""
    values: dict[str, Any] = {"lost": points, "left": int(s.life[seat])}
    attacker = in_lane(s, int(s.active)) if s.active != seat else -1
    forms = "you lose {lost} life ({left} left)", "{who} loses {lost} life ({left} left)"
    if attacker >= 0:
        values["card"] = title_in_play(setup, s, attacker, voice.seat)
        forms = (
            "{card} gets through and you lose {lost} life ({left} left)",
            "{card} gets through and {who} loses {lost} life ({left} left)",
        )
    return voice.text(*forms, who=seat, **values)


def _is_in_lane(s: State) -> bool:
    """Return whether a lane is being fought; combat begins with lane 0, before the first one."""
    return bool(s.window == LANE and s.lane)


# Draws


def _drawn(setup: GameSetup, before: State, action: int | None, after: State, voice: Voice) -> list[Text]:
    """Return what this seat drew, and the number of cards that another drew if more than one."""
    lines = list[Text]()
    for seat in range(SEATS):
        count = int(after.cards[seat] - before.cards[seat])
        if action is not None and seat == before.player:
            count += _from_hand(before, action)
        if count > 0 and seat == voice.seat:
            lines.append(aside(Text("You draw {items}.", items=_new_cards(setup, before, action, after, seat))))
        elif count > 1:
            lines.append(aside(Text("{who} draws {n} card.", "{who} draws {n} cards.", who=mention(seat), n=count)))
    return lines


def _from_hand(s: State, action: int) -> int:
    """Return the number of cards that a choice takes from the hand; -1 if it adds one."""
    block = ACTIONS.name_of(action)[0] if action >= 0 else ""
    if block == "place" and s.phase == PICK and ABILITIES[int(s.ability)].wants == A.DISCARD:
        return -1
    return int(block in ("resource", "bring"))


def _new_cards(setup: GameSetup, before: State, action: int | None, after: State, seat: int) -> list[Text | str]:
    old = in_order(before.hand[seat])
    found: list[Text | str] = [name(setup, card) for card in in_order(after.hand[seat]) if card not in old]
    for colour, word in enumerate(COLOURS):
        played = int(action == PLAY_RESOURCE + colour and before.player == seat)
        count = int(after.held[seat, colour] - before.held[seat, colour]) + played
        if count > 0:
            found.append(Text("a {colour} resource", "{n} {colour} resources", n=count, colour=word))
    return found
