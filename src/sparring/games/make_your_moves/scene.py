"""Make Your Moves: the table as a seat sees it, what happens to the objects on it, and the log."""

from functools import lru_cache

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.types import CardPile
from sparring.scene import (
    Banner, Card, Effect, Group, Layout, Pile, PrintableScene, Row, Seat, Track, face_up_card, replace, win_effects,
    winners,
)  # fmt: skip
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from . import state as R
from .art import BACK
from .components import as_sum, card, face, last_four, move_name, powers, totals
from .phases import PHASES


@lru_cache(maxsize=1024)
def discards(box: Box, numbers: tuple[int, ...]) -> Pile:
    """Return the open discard pile; cached, as it rarely changes between choices."""
    return Pile("discard pile", "Discards", len(numbers), tuple(face_up(box, n, "seat -1") for n in numbers))


def face_up(box: Box, n: int, origin: str, *marks: str) -> Card:
    """Return a face-up card; `origin` is where it comes from in animations."""
    this = card(box, n)
    return face_up_card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin, marks)


@lru_cache(maxsize=256)
def hand_of(seat: int, held: int) -> Row:
    """Return another seat's hand, face down."""
    backs = tuple(Card(f"seat {seat} hand {n}", origin="draw pile") for n in range(held))
    return Row(f"hand of {seat}", cards=backs, layout="small")


class _MakeYourMovesTable(Layout[R.State]):
    """Lays out the scene for one seat."""

    def scene(self) -> PrintableScene:
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

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        held = int(s.hand[i, 0])
        title = "Damage" if self.box.options["match"] == "elimination" else "Points"
        choice = self.optional_choice_fields(R.SEAT + i)
        if choice:
            choice["text"] = "New target" if s.phase == R.DODGE_TO else "Attack"
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, out=bool(s.out[i]), tags=self.tags(i),
            tracks=(Track(f"points {i}", title, int(s.points[i]), R.NEEDED),),
            parts=() if i == self.seat else (hand_of(i, held),),
            label=f"{self.voice.name(i)}, {counted(held, 'card')}, {int(s.points[i])} of {R.NEEDED} {title.lower()}",
            **choice,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        if s.over:
            return ("winner",) if i in winners(s) else ()
        fighting = s.attack[0] > 0 or s.phase in (R.ATTACK, R.RESPOND)
        tags = []
        if fighting and i == s.attacker:
            tags.append("Attacker")
        elif fighting and i == s.defender and s.phase != R.DODGE_TO:
            tags.append("Defender")
        if i == s.control and not (fighting and i == s.attacker):
            tags.append("in control")
        return tuple(tags)

    # Cards on the table

    def played(self, n: int, owner: int, *marks: str) -> Card:
        return face_up(self.box, n, "hand" if owner == self.seat else f"seat {owner + 1}", *marks)

    def sides(self) -> tuple[Row, Row]:
        """Return the two moves, facing each other; four cards that counter take the place of a defence."""
        s = self.s
        voice, attacker, defender = self.voice, int(s.attacker), int(s.defender)
        attacks, defends = "Attack", "Defence"
        if s.attack[0] and s.seats > 2:
            attacks, defends = voice.does(attacker, "attack", "attacks"), voice.does(defender, "defend", "defends")
        attack = self.side("attack", attacks, s.attack, s.help_attack, attacker)
        if self.beat == "countered":
            return attack, Row("fours", "Countered with", self.fours(), seat=defender + 1)
        return attack, self.side("defence", defends, s.defence, s.help_defence, defender)

    def fours(self) -> tuple[Card, ...]:
        return tuple(self.played(n, int(self.s.defender)) for n in in_order(self.s.fours))

    def side(self, key: str, title: str, own: CardPile, helping: CardPile, owner: int) -> Row:
        fighting = self.s.attack[0] > 0
        cards = [self.played(n, owner) for n in in_order(own)] + [self.played(n, -2, "help") for n in in_order(helping)]
        total = as_sum(powers(self.box, own, helping)) if fighting else ""
        return Row(key, title, tuple(cards), total=total, seat=owner + 1 if fighting else 0)

    def exchange(self) -> Group | None:
        """Return the two moves at the beat that compares them, or the attack and the four cards that counter it."""
        return Group(self.sides()) if self.beat in ("compared", "countered") else None

    def extras(self) -> tuple[Row, ...]:
        """Return the cards beside the two moves: fours that dodge, and a helper's card without a side."""
        s = self.s
        rows = []
        if s.fours[0] and self.beat != "countered":
            rows.append(Row("fours", "Dodged with", self.fours(), "small"))
        if s.helping[0]:
            helping = tuple(self.played(n, int(s.player)) for n in in_order(s.helping))
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
            this = card(self.box, n)
            choice = {} if n in picked else self.choice_fields(R.CARD + n)
            held.append(Card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin="draw pile",
                             marks=("picked",) if n in picked else (), **choice))  # fmt: skip
        return Row("hand", "Your hand", tuple(held), "hand", empty="Your hand is empty.", seat=self.seat + 1)

    def banner(self) -> Banner | None:
        """Return the attack as a ring announcer calls it, once it has a card."""
        s = self.s
        if s.over or not s.attack[0]:
            return None
        numbers = [*in_order(s.attack), *in_order(s.help_attack)]
        return Banner(f"move {s.turn}", move_name(self.box, numbers), seat=int(s.attacker) + 1)

    # Prompt and ending

    def ending(self) -> str:
        return ending(self.s, self.seat)


scene, outline = _MakeYourMovesTable.draw, _MakeYourMovesTable.draw_outline


# The effects of a beat on the objects on the table


def effects(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: the attack's name, the totals that meet, the blow, points, cards drawn, the winner."""
    if action == R.DONE and before.phase == R.ATTACK and after.attack[0]:
        return [Effect("call_out", target=f"banner move {after.turn}")]
    if action in (R.ATTACKER, R.DEFENDER) and before.phase == R.ASSIST_SIDE and not beat:
        return [Effect("draw", target=f"card {in_order(before.helping)[0]}", amount=sum(powers(box, before.helping)))]
    if beat == "compared":
        return _compared(box, after)
    if beat == "countered":
        return [Effect("block", "fours", "attack", word="Countered!")]
    if beat == "scored":
        kind = "score" if box.options["match"] == "points" else "hit"
        gained = [i for i in range(after.seats) if after.points[i] > before.points[i]]
        return [Effect(kind, target=f"points {i}", amount=1) for i in gained]
    if after.over:
        return win_effects(after)
    drawn = [int(after.hand[i, 0] - before.hand[i, 0]) for i in range(after.seats)] if action is None else []
    return [Effect("draw", target=f"seat {i + 1}", amount=count) for i, count in enumerate(drawn) if count > 0]


def _compared(box: Box, s: R.State) -> list[Effect]:
    """Return the totals that meet, and the side that is hit, blocks or is beaten."""
    attack, defence = totals(box, s)
    lead = attack - defence
    if lead < 0:
        return [Effect("clash", "attack", "defence", lead), Effect("block", "defence", "attack", word="Beaten")]
    target = "defence" if s.defence[0] else f"seat {s.defender + 1}"
    return [Effect("clash", "attack", "defence", lead), Effect("hit" if lead else "block", "attack", target)]


# The log


def tell(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the result of the beat, the new turn, the cards it drew."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    if beat == "compared":
        lines.append(_comparison(box, after, voice))
    elif beat == "scored":
        lines += [_point(box, after, i, voice) for i in range(after.seats) if after.points[i] > before.points[i]]
    elif beat == "countered":
        lines.append(_countered(box, after, voice))
    if after.turn != before.turn and not after.over:
        lines.append(TurnLine(f"Turn {after.turn}: {voice.then(int(after.control), 'are', 'is')} in control."))
    lines += _drawn(box, before, after, voice)
    if beat == "reshuffled":
        lines.append(AsideLine("The discards are shuffled into a new draw pile."))
    elif beat == "no attack":
        attacker = int(after.attacker)
        held = "only Wilds" if after.hand[attacker, 0] else "no cards"
        lines.append(f"{voice.does(attacker, 'have', 'has')} {held} and can't attack.")
    if after.over:
        lines.append(ResultLine(ending(after, seat)))
    return lines


def _countered(box: Box, s: R.State, voice: Voice) -> str:
    defender = int(s.defender)
    takes = voice.verb(defender, "take", "takes")
    return ResultLine(f"{voice.does(defender, 'counter', 'counters')} and {takes} control: {last_four(box, s)}.")


def _comparison(box: Box, s: R.State, voice: Voice) -> str:
    """Return both totals and who has control; Attacker and Defender read their own total first, others the attack."""
    attack, defence = totals(box, s)
    outcome = _outcome(box, defence - attack, int(s.attacker), int(s.defender), voice)
    if not defence:
        whose = "Your" if voice.seat == s.attacker else f"{voice.name(int(s.attacker))}'s"
        return ResultLine(f"{whose} {attack} goes through: {outcome}.", hit=True)
    hit = attack > defence
    if voice.seat not in (s.attacker, s.defender):
        return ResultLine(f"Attack {attack}, defence {defence}: {outcome}.", hit=hit)
    own, other, opponent = attack, defence, int(s.defender)
    if voice.seat == s.defender:
        own, other, opponent = defence, attack, int(s.attacker)
    compared = "beats" if own > other else "loses to" if own < other else "equals"
    return ResultLine(f"Your {own} {compared} {voice.name(opponent)}'s {other}: {outcome}.", hit=hit)


def _outcome(box: Box, margin: int, attacker: int, defender: int, voice: Voice) -> str:
    """Return who has control after an exchange that the Defender wins by `margin`; a win by 1 brings nothing else."""
    if margin <= 0:
        blocked = "blocked, and " if margin == 0 else ""
        return f"{blocked}{voice.then(attacker, 'keep', 'keeps')} control"
    takes = f"{voice.then(defender, 'take', 'takes')} control"
    if margin == 1:
        return f"{takes}; a win by 1 {'scores no point' if box.options['match'] == 'points' else 'does no damage'}"
    return takes


def _point(box: Box, s: R.State, seat: int, voice: Voice) -> str:
    points = int(s.points[seat])
    if box.options["match"] == "points":
        return ResultLine(f"{voice.does(seat, 'score', 'scores')}: {points} of {R.NEEDED} points.")
    out = f" and {voice.verb(seat, 'are', 'is')} out" if points == R.NEEDED else ""
    return ResultLine(f"{voice.does(seat, 'take', 'takes')} damage ({points} of {R.NEEDED}){out}.")


def _drawn(box: Box, before: R.State, after: R.State, voice: Voice) -> list[str]:
    """Return what this seat itself drew."""
    if voice.seat < 0:
        return []
    held = in_order(before.hand[voice.seat])
    drawn = [n for n in in_order(after.hand[voice.seat]) if n not in held]
    return [AsideLine("You draw", *(card(box, n).name for n in drawn))] if drawn else []


def ending(s: R.State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    best = [i for i in range(int(s.seats)) if s.payoff[i] >= 0]
    if len(best) > 1:
        return f"Turn limit reached: a draw between {listed([voice.whom(i) for i in best])}."
    how = {
        R.BY_POINTS: f" with {R.NEEDED} points", R.LAST_ONE_IN: ": last one standing",
        R.TURN_LIMIT: ": ahead at the turn limit",
    }[int(s.ending)]  # fmt: skip
    return f"{voice.does(best[0], 'win', 'wins')}{how}."
