"""World of Fighters: the scene of the table for a seat, and the effects of a beat on the objects on it."""

from functools import cached_property

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import (
    Banner, Board, Card, Effect, Facts, Group, Pile, PrintableScene, Row, Seat, Track, face_up_card, replace,
)  # fmt: skip
from sparring.scene.sentences import Text, mention, say

from . import art, moves
from . import state as R
from .components import (
    action_face, in_words, movement_face, portrait_face, ring, roster_face, score_words, scores_of, sheet,
)  # fmt: skip
from .log_sentences import FightersLog
from .moves import card_of, kind_name, last_revealed, score_parts, squares_by
from .params import SEATS

#: How screen readers pronounce abbreviations.
SPOKEN = {"K.O.": "Knock-out"}


class _FightersTable(FightersLog):
    """What one seat sees and reads."""

    def __init__(self, setup: GameSetup, s: R.State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(setup, s, seat, choices, beat)
        self.picking = s.phase == R.PICK
        #: Whether both fighters are still where they were when the Action cards were last revealed.
        self.settled = bool(s.shown) or s.phase <= R.ACTION_CARD

    @cached_property
    def shown(self) -> R.State:
        """The state with the Action cards that were last revealed."""
        return last_revealed(self.s)

    def scene(self) -> PrintableScene:
        return replace(
            self.outline(),
            left=() if self.picking else (Group((self.draw_pile(), self.played(0))),),
            middle=(self.roster() if self.picking else self.board(),),
            right=() if self.picking else (Group((self.played(1), self.discard_pile())),),
            hand=(Group(self.hand()),) if self.seat >= 0 and not self.picking else (),
            banner=self.banner(), backs=(art.ACTION_BACK, art.MOVEMENT_BACK),
            exchange=Group((self.played(0), self.played(1))) if self.beat in DECIDING else None,
        )  # fmt: skip

    def status(self) -> Text:
        return Text("Before round 1") if self.picking else Text("Round {number}", number=self.s.turn)

    # Seats

    def panel(self, i: int) -> Seat:
        """Return a seat with portrait, health, scores at each range, and super."""
        s, who = self.s, self.voice.label(i)
        card = card_of(self.setup, s, i) if s.fighter[i] >= 0 else None
        tracks: tuple[Track, ...] = ()
        parts: tuple[Row | Facts, ...] = ()
        if not card:
            label = say("{who}, no fighter yet", who=who)
        else:
            label = say("{who}, {fighter}, {health} health", who=who, fighter=card.name, health=int(s.health[i]))
            portrait = Card(f"fighter {int(s.fighter[i])}", portrait_face(card), label=card.name)
            parts = (Row(f"portrait {i}", cards=(portrait,), layout="small"),)
        if card and not self.picking:
            tracks = (Track(f"health {i}", say("Health"), int(s.health[i]), R.HEALTH, "bar"),)
            parts = (*parts, self.sheet(i))
        return Seat(
            title=card.name if card else "", out=bool(s.over and s.payoff[i] < 0), tags=self.tags(i), tracks=tracks,
            parts=parts, label=label,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        first = (say("moves first"),) if i == moves.first_mover(s) and not s.over and not self.picking else ()
        return (*first, *((f"-{int(s.lost[i])}",) if s.lost[i] and self.settled else ()))

    def sheet(self, i: int) -> Facts:
        """Return what there is to know about a fighter; cached, as it rarely changes between choices."""
        s = self.s
        state = "used" if s.super_used[i] else "ready" if R.has_super(s, i) else ""
        number, range_, resting = int(s.fighter[i]), int(moves.range_now(s)), int(s.resting[i])
        return sheet(self.setup, i, number, range_, resting, state)

    # Cards and board on the table

    def played(self, i: int) -> Row:
        """Return a seat's cards on the table: resting, committed, or last played."""
        s, shown = self.s, self.shown
        cards = []
        if s.resting[i] and not s.movement[i]:
            steps, origin = int(s.resting[i]), f"movement of {i} in {int(s.turn) - 1}"
            label = say("Move {steps}, resting", steps=steps)
            cards.append(Card(f"resting {i}", movement_face(steps), sideways=True, label=label, origin=origin))
        if s.movement[i]:
            cards.append(self.committed_movement(i))
        last = not s.shown and not s.action[i] and s.phase != R.MOVE
        if s.action[i]:
            cards.append(self.played_action(s, i))
        elif last and shown.action[i]:
            cards.append(self.played_action(shown, i))
        if shown.counter and shown.action[i] == R.BLOCK and (last or s.shown):
            face = action_face(
                int(shown.counter), scores_of(self.setup, s, i, int(shown.counter)), int(moves.range_now(s))
            )
            cards.append(Card(f"counter in {int(shown.turn)}", face, marks=(say("counter"),), origin=f"seat {i + 1}"))
        title = mention(i)
        if last and shown.action[i]:
            title = say("{who}, round {number}", who=title, number=int(shown.turn))
        return Row(f"laid {i}", title, tuple(cards), total=self.total(i) if last or s.shown else "", seat=i + 1)

    def committed_movement(self, i: int) -> Card:
        steps, key = int(self.s.movement[i]), f"movement of {i} in {int(self.s.turn)}"
        if steps < 0:
            return Card(key, back="steps", label=say("a face-down Movement card"), origin=f"seat {i + 1}")
        marks = (say("face down"),) if self.s.phase <= R.ACTION_CARD else ()
        return Card(key, movement_face(steps), marks=marks, origin=f"movement {steps}")

    def played_action(self, s: R.State, i: int) -> Card:
        """Return the Action card of the round in `s`; a seat always sees its own."""
        kind, key = int(s.action[i]), f"action of {i} in {int(s.turn)}"
        if kind < 0:
            return Card(key, back="fists", label=say("a face-down Action card"), origin=f"seat {i + 1}")
        revealed = bool(s.shown) or s is self.shown
        marks = (say("super"),) if s.performed[i] else (say("called"),) if s.called[i] else ()
        range_ = int(moves.range_now(s)) if revealed else 0
        face = action_face(kind, scores_of(self.setup, s, i, kind), range_)
        return Card(key, face, marks=marks if revealed else (*marks, say("face down")), origin=f"hand {kind}")

    def total(self, i: int) -> str:
        """Return the score of a revealed card with its sum: `2 + 3 = 5`; a Block's is what it subtracts."""
        shown = self.shown
        if shown.action[i] <= 0:
            return ""
        parts = score_parts(self.setup, shown, i)
        added = f"{' + '.join(map(str, parts))} = {sum(parts)}" if len(parts) > 1 else str(sum(parts))
        return f"-{sum(parts)}" if shown.action[i] == R.BLOCK else added

    def draw_pile(self) -> Pile:
        return Pile("draw pile", say("Draw pile"), int(self.s.deck[0]), back="fists")

    def discard_pile(self) -> Pile:
        kinds = in_order(self.s.discard)
        cards = tuple(face_up_card(f"discard {n}", action_face(kind)) for n, kind in enumerate(kinds))
        return Pile("discard pile", say("Discards"), len(kinds), cards)

    def board(self) -> Board:
        """Return the ring, with the squares that each Movement card to choose from would reach right now."""
        lit: dict[int, tuple[str, ...]] = {}
        for steps in (1, 2, 3):
            if R.TO_MOVE + steps - 1 in self.choices:
                for square in squares_by(self.setup, self.s, self.seat, steps):
                    lit[square] = (*lit.get(square, ()), f"movement {steps}")
        lost = (int(self.s.lost[0]), int(self.s.lost[1])) if self.settled else (0, 0)
        return ring(self.setup, self.s, self.voice, self.choice_fields, lost, lit)

    def roster(self) -> Row:
        """Return the fighters still free to pick."""
        cards = tuple(
            Card(f"fighter {n}", roster_face(card), label=in_words(card), **self.choice_fields(R.TO_PICK + n))
            for n, card in enumerate(self.setup.content.fighters) if n not in self.s.fighter
        )  # fmt: skip
        return Row("roster", say("The fighters"), cards, "hand")

    # Own cards

    def hand(self) -> tuple[Row, Row]:
        """Return this seat's Movement cards and Action cards that are not committed."""
        s, seat = self.s, self.seat
        movement = [self.own_movement(n) for n in (1, 2, 3) if n not in (s.resting[seat], s.movement[seat])]
        kinds = in_order(s.hand[seat])
        if s.action[seat] > 0 and not s.shown:
            kinds.remove(int(s.action[seat]))
        actions = [self.own_action(kind, kinds.count(kind)) for kind in sorted(set(kinds))]
        return (
            Row("movement cards", say("Your Movement cards"), tuple(movement), "hand", seat=seat + 1),
            Row("hand", say("Your Action cards"), tuple(actions), "hand", seat=seat + 1),
        )

    def own_movement(self, steps: int) -> Card:
        stuck = self.s.phase == R.MOVE_CARD and self.has_turn and not squares_by(self.setup, self.s, self.seat, steps)
        label = say("Move {steps}", steps=steps)
        if stuck:
            label = say("Move {steps}, nowhere to go right now", steps=steps)
        marks = (say("no move"),) if stuck else ()
        return Card(f"movement {steps}", movement_face(steps), marks=marks, label=label,
                    origin=f"resting {self.seat}", **self.choice_fields(R.TO_MOVE + steps - 1))  # fmt: skip

    def own_action(self, kind: int, count: int) -> Card:
        counter = self.s.phase == R.COUNTER and kind != R.BLOCK
        scores = scores_of(self.setup, self.s, self.seat, kind)
        if kind == R.BLOCK:
            label = say("Block: reduces an attack by {value}", value=scores[0])
        else:
            label = str(score_words(kind, scores))
        face = action_face(kind, scores, int(moves.range_now(self.s)) if counter else 0)
        return Card(f"hand {kind}", face, count=count, label=label, origin="draw pile",
                    **self.choice_fields((R.TO_COUNTER if counter else R.TO_PLAY) + kind - 1))  # fmt: skip

    # Banner and prompt

    def banner(self) -> Banner:
        """Return the headline: a super, the end, or the round, with the range."""
        s = self.s
        if self.picking:
            return Banner("pick", say("Pick your fighter"))
        if s.over:
            return Banner("end", say(SHOUT_TEXTS[int(s.ending)]))
        range_ = say("range {range}", range=moves.range_now(s))
        if moves.range_now(s) > 3:
            range_ = say("range {range}: too far", range=moves.range_now(s))
        for i in range(SEATS):
            if s.performed[i]:
                called = say("{super}!", super=card_of(self.setup, s, i).super)
                return Banner(f"super {i} {s.turn}", called, range_, i + 1)
        for i in range(SEATS):
            announced = s.phase == R.MOVE or (s.phase < R.MOVE and i != self.seat)
            if s.called[i] and announced:
                card = card_of(self.setup, s, i)
                needs = say("{card} at range {range}", card=kind_name(card.super_kind), range=card.super_range)
                return Banner(f"call {i} {s.turn}", say("{super}!", super=card.super), needs, i + 1)
        return Banner(f"round {s.turn}", say("Round {number}", number=s.turn), range_)

    # What happens to the objects on the table

    def effects(self, before: R.State, action: int | None) -> list[Effect]:
        """Return the effects: moves, a called or performed super, blows, a fighter thrown out, the end."""
        after, beat = self.s, self.beat
        found = [Effect("move", target=_token(i)) for i in range(SEATS) if _has_moved(before, after, i)]
        found += _called(before, after, beat)
        first = int(moves.first_mover(after))
        if beat in ("first blow", "second blow"):
            found += _blow(self.setup, before, after, first if beat == "first blow" else 1 - first)
        elif beat == "counter":
            found.append(_landed(before, after, int(before.player)))
        elif beat == "thrown out":
            throwing = [i for i in (first, 1 - first) if moves.forces_ring_out(self.setup.params, after, i)]
            found += [Effect(kind, _token(i), _token(1 - i)) for i in throwing for kind in ("hit", "throw")]
        elif beat == "two blocks":
            found += [Effect("block", _token(1 - i), _token(i)) for i in range(SEATS)]
        if after.over and after.ending in (R.KNOCK_OUT, R.RING_OUT):
            found.append(Effect("call_out", target="banner end"))
        return found


#: The beats that show the cards of an exchange.
DECIDING = ("thrown out", "first blow", "second blow", "two blocks", "counter")

#: Banner at the end of a match, by ending.
SHOUT_TEXTS = ("K.O.", "Ring-out", "Forced out", "Time")

SeatTable = _FightersTable


# Effects, from a seat's views before and after


def _token(seat: int) -> str:
    return f"token {seat + 1}"


def _has_moved(before: R.State, after: R.State, seat: int) -> bool:
    return before.phase == R.MOVE and bool(before.square[seat] != after.square[seat]) and not after.over


def _called(before: R.State, after: R.State, beat: str) -> list[Effect]:
    """Return the call of the super that the banner shows: announced, or performed."""
    for seat in range(SEATS):
        if beat and after.performed[seat] and not before.performed[seat]:
            return [Effect("call_out", _token(seat), f"banner super {seat} {after.turn}")]
        if after.phase == R.MOVE and before.phase != R.MOVE and after.called[seat] and not any(after.performed):
            return [Effect("call_out", _token(seat), f"banner call {seat} {after.turn}")]
    return []


def _blow(setup: GameSetup, before: R.State, shown: R.State, attacker: int) -> list[Effect]:
    """Return an attack's effects: out of range, a hit, or a score that meets a Block's, which stops it or not."""
    other = 1 - attacker
    if not score_parts(setup, shown, attacker):
        return [Effect("miss", _token(attacker), _token(other))]
    if shown.action[other] != R.BLOCK:
        return [_landed(before, shown, attacker)]
    landed = _landed(before, shown, attacker, "block")
    return [Effect("clash", f"laid {attacker}", f"laid {other}", 1 if landed.kind == "hit" else -1), landed]


def _landed(before: R.State, after: R.State, attacker: int, otherwise: str = "miss") -> Effect:
    lost = int(before.health[1 - attacker] - after.health[1 - attacker])
    return Effect("hit" if lost else otherwise, _token(attacker), _token(1 - attacker))  # the token shows the number
