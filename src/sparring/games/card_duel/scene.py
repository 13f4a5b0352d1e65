"""Card Duel: the scene of the table for a seat, and the effects of a beat on the objects on it."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import Card, Effect, Group, Pile, PrintableScene, Row, Seat, Slot, Track, replace
from sparring.scene.sentences import Text, mention, say

from . import state as S
from .board import attack_of, health_of
from .components import back, face
from .params import SEATS
from .phases import DuelLog, card

#: Labels about a seat, as it reads them itself and as others do.
SEAT_FORMS = "You", "{who}"
DECK_FORMS = "Your deck", "{who}'s deck"
DISCARDS_FORMS = "Your discards", "{who}'s discards"
ROW_FORMS = "Your row", "{who}'s row"
SLOT_FORMS = "your slot {slot}: {character}", "{who}'s slot {slot}: {character}"


class SeatTable(DuelLog):
    """What one seat sees and reads."""

    def __init__(self, setup: GameSetup, s: S.State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(setup, s, seat, choices, beat)
        #: The seat whose row is drawn below: this seat, or the first for a spectator.
        self.below = max(seat, 0)
        #: Whether points count: hits or a card of the set score them.
        self.scores_points = setup.params.win == S.POINTS or any(
            effect.does == "points" for each in setup.content.cards for effect in each.effects
        )

    def scene(self) -> PrintableScene:
        """Return the scene: both rows in the middle, piles on the left, the hand at the bottom."""
        rows = Group((self.row(1 - self.below), self.row(self.below)), down=True)
        return replace(
            self.outline(), left=(Group(self.piles()),), middle=(rows, *self.on_table()),
            hand=(self.hand(),) if self.seat >= 0 else (), backs=(back(self.setup.content.name),),
        )  # fmt: skip

    def about(self, forms: tuple[str, str], seat: int, **values: Any) -> str:
        """Return a label about a seat: the form for that seat itself, or the one for others."""
        return say(forms[self.seat != seat], who=mention(seat), **values)

    def status(self) -> Text:
        """Return the round and their number."""
        return Text(
            "Round {round} of {rounds}", round=(int(self.s.turn) + 1) // 2, rounds=int(self.setup.params.rounds)
        )

    def panel(self, i: int) -> Seat:
        """Return a seat with its life, points, energy and cards in hand."""
        s, params = self.s, self.setup.params
        life, points, energy, held = int(s.life[i]), int(s.points[i]), int(s.energy[i]), int(s.hand[i, 0])
        tracks, told = [], [self.about(SEAT_FORMS, i)]
        if params.win != S.POINTS:
            tracks.append(Track(f"life {i}", say("Life"), life, style="number"))
            told.append(say("{life} life", life=life))
        if self.scores_points:
            tracks.append(Track(f"points {i}", say("Points"), points, int(params.points), style="number"))
            told.append(say("{n} point", "{n} points", n=points))
        tracks.append(Track(f"energy {i}", say("Energy"), energy, style="number"))
        told += say("{energy} energy", energy=energy), say("{n} card in hand", "{n} cards in hand", n=held)
        hand = Row(
            f"hand of {i}", layout="small",
            cards=tuple(Card(f"seat {i} hand {n}", origin=f"draw pile {i}") for n in range(held)),
        )  # fmt: skip
        chosen = self.optional_choice_fields(S.OPPONENT) if self.has_turn and i != s.player else {}
        if i != self.seat and s.known[i].max():
            known = [card(self.setup, n).name for n, count in enumerate(s.known[i].tolist()) for _ in range(count)]
            told.append(say("among them {cards}", cards=known))
        return Seat(
            tracks=tuple(tracks), parts=() if i == self.seat else (hand,), text=say("Attack") if chosen else "",
            label=say(", ").join(told), **chosen,
        )  # fmt: skip

    def piles(self) -> tuple[Pile, ...]:
        """Return the deck and the discard pile of each seat, the own ones last."""
        parts = []
        for owner in (1 - self.below, self.below):
            gone = in_order(self.s.discard[owner])
            cards = tuple(Card(key=f"discard {owner} {n}", face=face(card(self.setup, c))) for n, c in enumerate(gone))
            deck, discards = self.about(DECK_FORMS, owner), self.about(DISCARDS_FORMS, owner)
            parts += [Pile(f"draw pile {owner}", deck, int(self.s.deck[owner, 0])),
                      Pile(f"discard pile {owner}", discards, len(cards), cards)]  # fmt: skip
        return tuple(parts)

    def row(self, i: int) -> Row:
        """Return a seat's row of slots."""
        cards = tuple(self.slot(i, slot) for slot in range(int(self.setup.params.slots)))
        return Row(f"row {i}", self.about(ROW_FORMS, i), cards, "lanes", seat=i + 1)

    def slot(self, i: int, slot: int) -> Card | Slot:
        """Return the character in a slot, or the free slot."""
        s, key = self.s, slot_key(i, slot)
        action = (S.SLOT if i == s.player else S.ENEMY) + slot
        if not s.row[i, slot]:
            return Slot(key=key, text=str(slot + 1), label=say("free"), **self.optional_choice_fields(action))
        this = card(self.setup, int(s.row[i, slot]) - 1)
        attack, health = int(attack_of(self.setup.params, s, i, slot)), int(health_of(self.setup.params, s, i, slot))
        drawing = face(this, attack, max(0, health))
        marks = self.marks(i, slot)
        place = self.about(SLOT_FORMS, i, slot=slot + 1, character=drawing.title)
        label = say(", ").join((place, *marks)) if marks else place
        chosen = self.choice_fields(action) if i == s.player or s.phase != S.MAIN else {}
        return Card(key=key, face=drawing, marks=marks, label=label, **chosen)

    def marks(self, i: int, slot: int) -> tuple[str, ...]:
        """Return the labels on a character: damage, shields, and why it can't attack."""
        s = self.s
        found = [say("{damage} damage", damage=int(s.damage[i, slot]))] if s.damage[i, slot] else []
        if s.shield[i, slot]:
            found.append(say("{n} shield", "{n} shields", n=int(s.shield[i, slot])))
        if i == s.player and s.tired[i, slot] and not s.over:
            found.append(say("attacked") if s.tired[i, slot] == S.USED else say("just arrived"))
        if s.attacker == slot + 1 and i == s.player:
            found.append(say("attacks"))
        return tuple(found)

    def on_table(self) -> tuple[Row, ...]:
        """Return the card that is being played and has no slot."""
        s = self.s
        if not s.card or s.spot:
            return ()
        this = card(self.setup, int(s.card) - 1)
        return (Row("card", say("Now played"), (Card(key=f"playing {int(s.card) - 1}", face=face(this)),), "row"),)

    def hand(self) -> Row:
        """Return the hand; equal cards are one card with a count."""
        held = in_order(self.s.hand[self.seat])
        cards = tuple(
            Card(key=f"card {n}", face=face(card(self.setup, n)), count=held.count(n),
                 origin=f"draw pile {self.seat}", **self.choice_fields(S.CARD + n))
            for n in dict.fromkeys(held)
        )  # fmt: skip
        return Row("hand", say("Your hand"), cards, "hand", empty=say("Your hand is empty."), seat=self.seat + 1)

    def effects(self, before: S.State, action: int | None) -> list[Effect]:
        """Return the effects: who strikes whom, damage, defeat, lost life, points, cards drawn."""
        after, found = self.s, _strikes(self.setup, before, action, self.beat)
        for owner in range(SEATS):
            for slot in range(int(self.setup.params.slots)):
                found += _character(before, after, owner, slot)
            lost = int(before.life[owner] - after.life[owner])
            scored = int(after.points[owner] - before.points[owner])
            drawn = int(before.deck[owner, 0] - after.deck[owner, 0])
            if lost > 0:
                found.append(Effect("hit", target=f"life {owner}", amount=lost))
            if scored > 0:
                found.append(Effect("score", target=f"points {owner}", amount=scored))
            if drawn > 0 and owner != self.seat:
                found.append(Effect("draw", target=f"seat {owner + 1}", amount=drawn))
        return found


def slot_key(seat: int, slot: int) -> str:
    """Return the key of a slot and of the character in it."""
    return f"slot {slot + 1} of {seat}"


def _strikes(setup: GameSetup, s: S.State, action: int | None, beat: str) -> list[Effect]:
    """Return the clash of an attacker with what it attacks, if the strike follows the choice at once."""
    if beat != "struck" or action is None:
        return []
    player, enemy = int(s.player), 1 - int(s.player)
    block, number = S.ACTIONS.name_of(action)
    attacker = int(s.attacker) - 1 if s.phase == S.TARGET else number
    if block == "enemy" or (setup.params.combat == S.LANES and s.row[enemy, attacker]):
        target = number if block == "enemy" else attacker
        return [Effect("clash", slot_key(player, attacker), slot_key(enemy, target))]
    return [Effect("clash", slot_key(player, attacker), f"seat {enemy + 1}")]


def _character(before: S.State, after: S.State, seat: int, slot: int) -> list[Effect]:
    """Return what happens to the character that was in a slot."""
    if not before.row[seat, slot]:
        return []
    key = slot_key(seat, slot)
    if not after.row[seat, slot]:
        return [Effect("destroy", target=key)]
    if after.row[seat, slot] != before.row[seat, slot]:
        return []
    damage = int(after.damage[seat, slot] - before.damage[seat, slot])
    if damage > 0:
        return [Effect("hit", target=key, amount=damage)]
    saved = after.shield[seat, slot] < before.shield[seat, slot]
    return [Effect("block", target=key, word="Shield")] if saved else []
