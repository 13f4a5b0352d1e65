"""MACE: the scene of the table for a seat."""

from functools import cached_property
from typing import Any

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import (
    Board, Button, Card, Cell, Fact, Facts, Group, Pile, PrintableScene, Row, Seat, Shortcut, Token, Track,
    face_up_card, replace,
)  # fmt: skip
from sparring.scene.sentences import AnyText, Text, mention, say

from . import state as S
from .components import BACK, cards_counted, face, fighter, floor, hexes_counted, place, value, way, with_value
from .events import CombatEvents
from .moves import has_suit, reachable
from .params import CLUBS, JOKER, write_hex
from .phases import PHASES

#: The state of the token of a fighter who is down.
DOWN_TEXT = "down"


class _MaceTable(CombatEvents):
    """What one seat sees and reads."""

    def __init__(self, setup: GameSetup, s: S.State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(setup, s, seat, choices, beat)
        self.seats = range(int(s.seats))

    def scene(self) -> PrintableScene:
        return replace(
            self.outline(),
            left=(Group((self.deck(), self.discard())), *self.quiet()),
            middle=(self.board(), *self.fight()),
            right=(self.order(),),
            hand=self.mine(), banner=self.banner(), exchange=self.exchange(), forfeit=self.forfeit(), backs=(BACK,),
        )  # fmt: skip

    def status(self) -> Text:
        return Text("Round {number}", number=self.s.rounds) if self.s.rounds else Text("Momentum")

    def forfeit(self) -> str:
        """Return when this seat can forfeit, or nothing if it can't (R41)."""
        allowed = (
            self.setup.options["forfeits"] == "on" and self.seat >= 0 and not self.s.out[self.seat] and not self.s.over
        )
        return say("at the end of the Round") if allowed else ""

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        held, charges = int(s.hand[i, 0]), int(s.charges[i, 0])
        row = self.charges_of(i) if i != self.seat else ()
        label = say(
            "{who}, {cards} in hand, {charges}", who=self.voice.label(i), cards=str(cards_counted(held)),
            charges=say("{n} Charge", "{n} Charges", n=charges),
        )  # fmt: skip
        return Seat(
            out=bool(s.out[i]), tags=self.tags(i), tracks=(Track(f"cards {i}", say("Cards"), held, S.HAND),),
            parts=(Row(f"charges of {i}", say("Charges"), row, layout="small"),) if row else (), label=label,
        )  # fmt: skip

    def charges_of(self, i: int) -> tuple[Card, ...]:
        """Return another seat's Charges, oldest first; one being revealed or lost keeps its place."""
        s = self.s
        row = {n: Card(f"seat {i} charge {n}", label=face_down(n), origin=f"seat {i + 1}") for n in in_order(s.laid[i])}
        if s.opened[i]:
            block, number = S.ACTIONS.name_of(int(s.opened[i]))
            n = int(s.opened_laid[i])
            row[n] = Card(f"seat {i} charge {n}", face(self.setup, number), marks=(say(CHARGE_MARK_TEXTS[block]),))
        return tuple(row[n] for n in sorted(row))

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        tags = [say("Down")] if s.down[i] else []
        if i == s.active and s.phase not in (S.MOMENTUM, S.FORFEIT) and not s.over:
            tags.append(say("Turn"))
        return tuple(tags)

    # Cards on the table

    def card(self, number: int, **more: Any) -> Card:
        return Card(f"card {number}", face(self.setup, number), **more)

    def deck(self) -> Pile:
        return Pile("deck", say("Deck"), int(self.s.deck[0]))

    def discard(self) -> Pile:
        fighting = (*self.attack_cards(), *self.defence_cards())
        cards = tuple(
            face_up_card(f"{'played' if n in fighting else 'card'} {n}", face(self.setup, n), "hand")
            for n in in_order(self.s.discard)
        )
        return Pile("discard", say("Discards"), len(cards), cards)

    def order(self) -> Group:
        """Return the Momentum cards in turn order, each under its seat's name."""
        s = self.s
        seats = [i for i in in_order(s.order) if not s.out[i]] or [i for i in self.seats if not s.out[i]]
        return Group(tuple(self.momentum(i) for i in seats), say("Turn order"))

    def momentum(self, i: int) -> Row:
        number = int(self.s.momentum[i])
        if number == S.NO_CARD:
            return Row(f"momentum {i}", mention(i), layout="small", empty="–", seat=i + 1)
        origin = "hand" if i == self.seat else f"seat {i + 1}"
        if number < 0:
            label = say("{who}: a face-down card", who=self.voice.label(i))
            card = Card(f"momentum of {i}", origin=origin, label=label)
        else:
            label = say("{who}: {card}", who=self.voice.label(i), card=face(self.setup, number).title)
            card = self.card(number, marks=self.turn_mark(i), origin=origin, label=label)
        return Row(f"momentum {i}", mention(i), (card,), "small", seat=i + 1)

    def turn_mark(self, i: int) -> tuple[str, ...]:
        """Return a mark that says whether a Fighter's Turn this Round is now, is done, or will be missed."""
        s = self.s
        order = in_order(s.order)
        if i not in order or s.phase == S.FORFEIT or s.over:
            return ()
        place = order.index(i) + 1
        if place == s.place and self.beat != "round over":
            return (say("now"),)
        if s.down[i] and place > s.place:
            return (say("misses"),)
        return (say("done"),) if place <= s.place else ()

    def quiet(self) -> tuple[Facts, ...]:
        """Return the Rounds without Damage, once half of those that end the Combat have passed."""
        limit, quiet = int(self.setup.options["stall_rounds"]), int(self.s.quiet)
        if 2 * quiet < limit or self.s.over:
            return ()
        return (Facts((Fact("quiet", say("Quiet Rounds"), say("{quiet} of {limit}", quiet=quiet, limit=limit)),)),)

    # The board

    def board(self) -> Board:
        s = self.s
        fighters = tuple((i, int(s.at[i])) for i in self.seats if not s.out[i])
        ground = floor(int(self.setup.params.radius), fighters, self.seat)
        offered = ground if self.has_turn and s.phase in (S.MOVE, S.DODGE_MOVE) else ()
        cells = ground | {n: self.directed(ground[n], n, **self.choice_fields(S.TO + n)) for n in offered}
        cells |= {n: self.directed(ground[n], n, shortcuts=shortcuts) for n, shortcuts in self.boosts().items()}
        if self.ranges:
            cells = {n: self.lit(cell, n) for n, cell in cells.items()}
        lying_first = sorted((i for i in self.seats if int(s.at[i]) in ground), key=lambda i: not s.out[i])
        tokens = tuple(self.token(i) for i in lying_first)
        return Board("board", say("Board"), tuple(cells.values()), tokens, (*self.knocked(), *self.aimed()), hexes=True,
                     coordinates=True)  # fmt: skip

    def lit(self, cell: Cell, number: int) -> Cell:
        """Return a hex with this seat's Charges that reach it, and the Clubs that would as Charges."""
        away = int(hexes.distance(self.s.at[self.seat], number))
        return replace(cell, lit_by=tuple(key for key, reach in self.ranges if 0 < away <= reach))

    @cached_property
    def ranges(self) -> tuple[tuple[str, int], ...]:
        """The key and range of each own Charge, and of each Club in hand while it can be played as a Charge."""
        s = self.s
        if self.seat < 0 or s.out[self.seat]:
            return ()
        clubs = [n for n in in_order(s.hand[self.seat]) if S.CHARGE + n in self.choices]
        return tuple((f"card {n}", value(self.setup, s, n)) for n in (*in_order(s.charges[self.seat]), *clubs))

    def directed(self, cell: Cell, number: int, **choice: object) -> Cell:
        """Return a hex with its choice, labelled with the way there from this seat's Fighter."""
        here = int(self.s.at[self.seat])
        if number == here:
            return replace(cell, **choice)
        label = cell.label.replace(cell.name, say("{hex}, {way}", hex=cell.name, way=str(way(here, number))), 1)
        return replace(cell, label=label, **choice)

    def token(self, i: int) -> Token:
        s = self.s
        here, values = int(s.at[i]), {"who": self.voice.label(i), "hex": write_hex(int(s.at[i]))}
        if s.out[i]:
            label = say("{who} on {hex}, Out", **values)
            return Token(f"fighter {i}", place(here), i + 1, "x", "out", fighter(i + 1), label=label)
        return Token(
            f"fighter {i}", place(here), i + 1, state=DOWN_TEXT if s.down[i] else "", picture=fighter(i + 1),
            label=say("{who} on {hex}, Down", **values) if s.down[i] else say("{who} on {hex}", **values),
            shortcuts=self.attacks(i), **self.optional_choice_fields(S.AIM + i),
        )  # fmt: skip

    # Shortcuts, which play a card with a tap on the board: a Boost on its hex, an attack on its target

    def boosts(self) -> dict[int, tuple[Shortcut, ...]]:
        """Return for each hex the Boosts that let the Fighter move there, the shortest first."""
        s, found = self.s, dict[int, list[Shortcut]]()
        if not self.has_turn or s.phase != S.TURN:
            return {}
        here, old = int(s.at[self.seat]), value(self.setup, s, int(s.momentum[self.seat]))
        cards = [action - S.BOOST for action in self.choices if S.BOOST <= action < S.BOOST + JOKER]
        for card in sorted(cards, key=lambda card: abs(value(self.setup, s, card) - old)):
            steps = abs(value(self.setup, s, card) - old)
            text = say("Boost with {card}: up to {hexes}", card=self.named(card), hexes=hexes_counted(steps))
            for there in self.in_reach(steps):
                if there != here:
                    words = f"{self.typed(S.BOOST + card)}; to {write_hex(there)}"
                    found.setdefault(there, []).append(Shortcut(words, text))
        return {there: tuple(ways) for there, ways in found.items()}

    def in_reach(self, steps: int) -> list[int]:
        """Return the hexes that the Fighter can move to with a number of steps."""
        out = [0] * hexes.HEXES
        found = hexes.numbers(
            reachable(self.setup.params, self.s, self.seat, steps, False), self.setup.params.radius, out, 0, 0
        )
        return out[:found]

    def attacks(self, i: int) -> tuple[Shortcut, ...]:
        """Return the attacks on a seat: the Strikes, or the Blasts that reach it, each with its Club."""
        s = self.s
        if not self.has_turn or s.phase != S.TURN or i == self.seat:
            return ()
        target, away = f"target {i + 1}", int(hexes.distance(s.at[self.seat], s.at[i]))
        if away == 1:
            cards = [action - S.STRIKE for action in sorted(self.choices) if S.STRIKE <= action < S.CHARGE]
            return tuple(
                Shortcut(f"{self.typed(S.STRIKE + n)}; {target}", say("Strike with {card}", card=self.named(n)))
                for n in cards
            )
        forms = "Blast with {card}" if self.setup.params.blast_cost == S.REVEAL_ONLY else "Blast with {card} and {club}"
        return tuple(
            Shortcut(f"{self.typed(action)}{typed}; {target}", say(forms, card=self.named(action - S.BLAST), club=club))
            for action in sorted(self.choices)
            if S.BLAST <= action < S.BOOST and value(self.setup, s, action - S.BLAST) >= away
            for typed, club in self.clubs()
        )

    def clubs(self) -> list[tuple[str, AnyText]]:
        """Return what a Blast costs besides its Charge, as it is typed and in words: a Club, or nothing."""
        if self.setup.params.blast_cost == S.REVEAL_ONLY:
            return [("", "")]
        held = [card for card in in_order(self.s.hand[self.seat]) if has_suit(card, CLUBS)]
        return [(f"; {self.setup.content.card(card)}", self.named(card)) for card in sorted(held)]

    def named(self, card: int) -> AnyText:
        """Return a card with its value."""
        return with_value(self.setup, self.s, card)

    def typed(self, action: int) -> str:
        """Return the words of a choice."""
        return str(self.choice_fields(action)["words"])

    # Own cards

    def mine(self) -> tuple[Row, ...]:
        s = self.s
        if self.seat < 0 or s.out[self.seat]:
            return ()
        numbers = sorted(in_order(s.hand[self.seat]), key=lambda n: (n >= JOKER, n % 4, n))
        hand = Row("hand", say("Your hand"), tuple(self.held(n) for n in numbers), "hand", seat=self.seat + 1)
        charges = tuple(self.my_charge(n) for n in in_order(s.charges[self.seat]))
        return hand, Row("charges", say("Your Charges"), charges, "small", empty=say("none"), seat=self.seat + 1)

    def held(self, n: int) -> Card:
        """Return a card of the hand with a button for each way to use it."""
        if not self.has_turn:
            return self.card(n, origin="deck")
        blocks = PHASES[int(self.s.phase)].hand_blocks
        uses = [block + n for block in blocks if block + n in self.choices]
        if len(uses) == 1:
            marks = tuple(filter(None, [self.short(uses[0])]))
            return self.card(n, origin="deck", marks=marks, **self.choice_fields(uses[0]))
        buttons = tuple(Button(text=self.short(action), **self.choice_fields(action)) for action in uses)
        why = self.why_not_held(n, blocks) if not uses and blocks else ""
        return self.card(n, origin="deck", choices=buttons, why_not=why)

    def why_not_held(self, n: int, blocks: tuple[int, ...]) -> str:
        """Return why a card can't be used in any of the blocks: the reason for its suit."""
        suited = blocks[n % 4 % len(blocks)] if self.s.phase == S.DEFENCE else blocks[-1]
        return self.setup.why_not(self.s, suited + n)

    def my_charge(self, n: int) -> Card:
        block = S.DROP if self.s.phase == S.DROP_CHARGE else S.BLAST
        mark = (self.short(block + n),) if block + n in self.choices else ()
        return self.card(n, origin="hand", marks=mark, **self.choice_fields(block + n))

    def short(self, action: int) -> str:
        """Return what a click on a card does, with the number that matters: `Boost 4`, `Strike 8`."""
        s = self.s
        block, n = S.ACTIONS.name_of(action)
        if block == "boost":
            steps = abs(value(self.setup, s, n) - value(self.setup, s, int(s.momentum[s.player])))
            return say("Boost {steps}", steps=steps)
        if block == "dodge" and value(self.setup, s, n) < s.attack:
            return say("Dodge fails")
        if n >= JOKER and block in JOKER_TEXTS:
            return say(JOKER_TEXTS[block], value=value(self.setup, s, n))
        return say(USE_TEXTS[block]) if block in USE_TEXTS else ""


def face_down(rounds: int) -> str:
    """Return the label of a face-down Charge played in a Round; 0 or less if before Round 1."""
    return say("a Charge, played in Round {number}", number=rounds) if rounds > 0 else say("a Charge, face down")


#: Mark on a Charge that has just been revealed or lost.
CHARGE_MARK_TEXTS = {"blast": "revealed", "drop": "lost"}
#: What a click on a card does, and on a Joker with its value.
USE_TEXTS = {
    "strike": "Strike", "charge": "Charge", "blast": "Blast", "block": "Block", "dodge": "Dodge", "drop": "Drop",
}  # fmt: skip
JOKER_TEXTS = {
    "strike": "Strike {value}", "blast": "Blast {value}", "block": "Block {value}", "dodge": "Dodge {value}",
    "pay": "Pay {value}", "drop": "Drop {value}",
}  # fmt: skip


SeatTable = _MaceTable
