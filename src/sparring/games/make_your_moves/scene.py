"""Make Your Moves: the table as a seat sees it, what happens to the objects on it, and the log."""

from functools import lru_cache

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.types import CardPile
from sparring.scene import (
    Banner, Card, Effect, Group, Layout, Pile, PrintableScene, Row, Seat, Track, face_up_card, replace, winners,
)  # fmt: skip
from sparring.scene.sentences import Text, Voice, aside, mention, result, say, turn

from . import state as R
from .art import BACK
from .components import as_sum, card, face, last_four, move_name, powers, totals


@lru_cache(maxsize=1024)
def discards(setup: GameSetup, title: str, numbers: tuple[int, ...]) -> Pile:
    """Return the open discard pile; cached, as it rarely changes between choices."""
    return Pile("discard pile", title, len(numbers), tuple(face_up(setup, n, "seat -1") for n in numbers))


def face_up(setup: GameSetup, n: int, origin: str, *marks: str) -> Card:
    """Return a face-up card; `origin` is where it comes from in animations."""
    this = card(setup, n)
    return face_up_card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin, marks)


@lru_cache(maxsize=256)
def hand_of(seat: int, held: int) -> Row:
    """Return another seat's hand, face down."""
    backs = tuple(Card(f"seat {seat} hand {n}", origin="draw pile") for n in range(held))
    return Row(f"hand of {seat}", cards=backs, layout="small")


class _MakeYourMovesTable(Layout[R.State]):
    """What one seat sees and reads."""

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

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        held, points = int(s.hand[i, 0]), int(s.points[i])
        values = {"who": self.voice.label(i), "cards": say("{n} card", "{n} cards", n=held), "points": points}
        title, label = say("Points"), say("{who}, {cards}, {points} of {goal} points", goal=R.NEEDED, **values)
        if self.setup.options["match"] == "elimination":
            title, label = say("Damage"), say("{who}, {cards}, {points} of {goal} damage", goal=R.NEEDED, **values)
        choice = self.optional_choice_fields(R.SEAT + i)
        if choice:
            choice["text"] = say("New target") if s.phase == R.DODGE_TO else say("Attack")
        return Seat(
            out=bool(s.out[i]), tags=self.tags(i), tracks=(Track(f"points {i}", title, points, R.NEEDED),),
            parts=() if i == self.seat else (hand_of(i, held),), label=label, **choice,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        if s.over:
            return (say("winner"),) if i in winners(s) else ()
        fighting = s.attack[0] > 0 or s.phase in (R.ATTACK, R.RESPOND)
        tags = []
        if fighting and i == s.attacker:
            tags.append(say("Attacker"))
        elif fighting and i == s.defender and s.phase != R.DODGE_TO:
            tags.append(say("Defender"))
        if i == s.control and not (fighting and i == s.attacker):
            tags.append(say("in control"))
        return tuple(tags)

    # Cards on the table

    def played(self, n: int, owner: int, *marks: str) -> Card:
        return face_up(self.setup, n, "hand" if owner == self.seat else f"seat {owner + 1}", *marks)

    def sides(self) -> tuple[Row, Row]:
        """Return the two moves, facing each other; four cards that counter take the place of a defence."""
        s = self.s
        attacker, defender = int(s.attacker), int(s.defender)
        attacks, defends = say("Attack"), say("Defence")
        if s.attack[0] and s.seats > 2:
            attacks = str(self.voice.text("You attack", "{who} attacks", who=attacker))
            defends = str(self.voice.text("You defend", "{who} defends", who=defender))
        attack = self.side("attack", attacks, s.attack, s.help_attack, attacker)
        if self.beat == "countered":
            return attack, Row("fours", say("Countered with"), self.fours(), seat=defender + 1)
        return attack, self.side("defence", defends, s.defence, s.help_defence, defender)

    def fours(self) -> tuple[Card, ...]:
        return tuple(self.played(n, int(self.s.defender)) for n in in_order(self.s.fours))

    def side(self, key: str, title: str, own: CardPile, helping: CardPile, owner: int) -> Row:
        fighting = self.s.attack[0] > 0
        helped = say("help")
        cards = [self.played(n, owner) for n in in_order(own)] + [self.played(n, -2, helped) for n in in_order(helping)]
        total = as_sum(powers(self.setup, own, helping)) if fighting else ""
        return Row(key, title, tuple(cards), total=total, seat=owner + 1 if fighting else 0)

    def exchange(self) -> Group | None:
        """Return the two moves at the beat that compares them, or the attack and the four cards that counter it."""
        return Group(self.sides()) if self.beat in ("compared", "countered") else None

    def extras(self) -> tuple[Row, ...]:
        """Return the cards beside the two moves: fours that dodge, and a helper's card without a side."""
        s = self.s
        rows = []
        if s.fours[0] and self.beat != "countered":
            rows.append(Row("fours", say("Dodged with"), self.fours(), "small"))
        if s.helping[0]:
            helping = tuple(self.played(n, int(s.player)) for n in in_order(s.helping))
            rows.append(Row("helping", say("Help"), helping, "small"))
        return tuple(rows)

    def draw_pile(self) -> Pile:
        return Pile("draw pile", say("Draw pile"), int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        return discards(self.setup, say("Discards"), tuple(in_order(self.s.discard)))

    def hand(self) -> Row:
        picked = in_order(self.s.picked)
        held = []
        for n in in_order(self.s.hand[self.seat]):
            this = card(self.setup, n)
            choice = {} if n in picked else self.choice_fields(R.CARD + n)
            held.append(Card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin="draw pile",
                             marks=(say("picked"),) if n in picked else (), **choice))  # fmt: skip
        return Row("hand", say("Your hand"), tuple(held), "hand", empty=say("Your hand is empty."),
                   seat=self.seat + 1)  # fmt: skip

    def banner(self) -> Banner | None:
        """Return the attack as a ring announcer calls it, once it has a card."""
        s = self.s
        if s.over or not s.attack[0]:
            return None
        numbers = [*in_order(s.attack), *in_order(s.help_attack)]
        return Banner(f"move {s.turn}", str(move_name(self.setup, numbers)), seat=int(s.attacker) + 1)

    # What has happened, to the objects on the table and in the log

    def effects(self, before: R.State, action: int | None) -> list[Effect]:
        """Return the effects: the attack's name, the totals that meet, the blow, points, cards drawn."""
        setup, after = self.setup, self.s
        if action == R.DONE and before.phase == R.ATTACK and after.attack[0]:
            return [Effect("call_out", target=f"banner move {after.turn}")]
        if action in (R.ATTACKER, R.DEFENDER) and before.phase == R.ASSIST_SIDE and not self.beat:
            total = sum(powers(setup, before.helping))
            return [Effect("draw", target=f"card {in_order(before.helping)[0]}", amount=total)]
        if self.beat == "compared":
            return _compared(setup, after)
        if self.beat == "countered":
            return [Effect("block", "fours", "attack", word="Countered!")]
        if self.beat == "scored":
            kind = "score" if setup.options["match"] == "points" else "hit"
            return [Effect(kind, target=f"points {i}", amount=1) for i in self.gained(before)]
        drawn = [int(after.hand[i, 0] - before.hand[i, 0]) for i in range(after.seats)] if action is None else []
        return [Effect("draw", target=f"seat {i + 1}", amount=count) for i, count in enumerate(drawn) if count > 0]

    def gained(self, before: R.State) -> list[int]:
        """Return the seats that have scored since `before`."""
        return [i for i in range(self.s.seats) if self.s.points[i] > before.points[i]]

    def events(self, before: R.State, action: int | None) -> list[Text]:
        """Return log sentences: the result of the beat, the new turn, the cards drawn."""
        setup, after, voice, beat = self.setup, self.s, self.voice, self.beat
        lines = []
        if beat == "compared":
            lines.append(_comparison(setup, after, voice))
        elif beat == "scored":
            lines += [_point(setup, after, i, voice) for i in self.gained(before)]
        elif beat == "countered":
            lines.append(_countered(setup, after, voice))
        if after.turn != before.turn and not after.over:
            forms = "Turn {number}: you are in control.", "Turn {number}: {who} is in control."
            lines.append(turn(voice.text(*forms, who=after.control, number=after.turn)))
        lines += _drawn(setup, before, after, voice)
        if beat == "reshuffled":
            lines.append(aside(Text("The discards are shuffled into a new draw pile.")))
        elif beat == "no attack":
            forms = "You have no cards and can't attack.", "{who} has no cards and can't attack."
            if after.hand[after.attacker, 0]:
                forms = "You have only Wilds and can't attack.", "{who} has only Wilds and can't attack."
            lines.append(voice.text(*forms, who=after.attacker))
        return lines

    def ending(self) -> Text:
        s = self.s
        best = [i for i in range(int(s.seats)) if s.payoff[i] >= 0]
        if len(best) > 1:
            return Text("Turn limit reached: a draw between {seats}.", seats=[self.voice.item(i) for i in best])
        return self.voice.text(*WON_FORMS[int(s.ending)], who=best[0], points=R.NEEDED)


#: How a match is won, as the winner reads it and as others do.
WON_FORMS = {
    R.BY_POINTS: ("You win with {points} points.", "{who} wins with {points} points."),
    R.LAST_ONE_IN: ("You win: last one standing.", "{who} wins: last one standing."),
    R.TURN_LIMIT: ("You win: ahead at the turn limit.", "{who} wins: ahead at the turn limit."),
}

SeatTable = _MakeYourMovesTable


# Results of an exchange


def _compared(setup: GameSetup, s: R.State) -> list[Effect]:
    """Return the totals that meet, and the side that is hit, blocks or is beaten."""
    attack, defence = totals(setup, s)
    lead = attack - defence
    if lead < 0:
        return [Effect("clash", "attack", "defence", lead), Effect("block", "defence", "attack", word="Beaten")]
    target = "defence" if s.defence[0] else f"seat {s.defender + 1}"
    return [Effect("clash", "attack", "defence", lead), Effect("hit" if lead else "block", "attack", target)]


def _countered(setup: GameSetup, s: R.State, voice: Voice) -> Text:
    forms = "You counter and take control: {cards}.", "{who} counters and takes control: {cards}."
    return result(voice.text(*forms, who=s.defender, cards=last_four(setup, s)))


def _comparison(setup: GameSetup, s: R.State, voice: Voice) -> Text:
    """Return both totals and who has control; Attacker and Defender read their own total first, others the attack."""
    attack, defence = totals(setup, s)
    outcome = _outcome(setup, defence - attack, int(s.attacker), int(s.defender), voice)
    if not defence:
        forms = "Your {attack} goes through: {outcome}.", "{who}'s {attack} goes through: {outcome}."
        return result(voice.text(*forms, who=s.attacker, attack=attack, outcome=outcome), hit=True)
    hit = attack > defence
    if voice.seat not in (s.attacker, s.defender):
        line = Text("Attack {attack}, defence {defence}: {outcome}.", attack=attack, defence=defence, outcome=outcome)
        return result(line, hit=hit)
    own, other, opponent = attack, defence, s.defender
    if voice.seat == s.defender:
        own, other, opponent = defence, attack, s.attacker
    values = {"own": own, "whose": mention(opponent), "other": other, "outcome": outcome}
    if own == other:
        return result(Text("Your {own} equals {whose}'s {other}: {outcome}.", **values), hit=hit)
    if own > other:
        return result(Text("Your {own} beats {whose}'s {other}: {outcome}.", **values), hit=hit)
    return result(Text("Your {own} loses to {whose}'s {other}: {outcome}.", **values), hit=hit)


def _outcome(setup: GameSetup, margin: int, attacker: int, defender: int, voice: Voice) -> Text:
    """Return who has control after an exchange that the Defender wins by `margin`; a win by 1 brings nothing else."""
    if margin < 0:
        return voice.text("you keep control", "{who} keeps control", who=attacker)
    if margin == 0:
        return voice.text("blocked, and you keep control", "blocked, and {who} keeps control", who=attacker)
    takes = voice.text("you take control", "{who} takes control", who=defender)
    if margin > 1:
        return takes
    if setup.options["match"] == "points":
        return Text("{outcome}; a win by 1 scores no point", outcome=takes)
    return Text("{outcome}; a win by 1 does no damage", outcome=takes)


def _point(setup: GameSetup, s: R.State, seat: int, voice: Voice) -> Text:
    points = s.points[seat]
    forms = "You take damage ({points} of {goal}).", "{who} takes damage ({points} of {goal})."
    if setup.options["match"] == "points":
        forms = "You score: {points} of {goal} points.", "{who} scores: {points} of {goal} points."
    elif points == R.NEEDED:
        forms = (
            "You take damage ({points} of {goal}) and are out.", "{who} takes damage ({points} of {goal}) and is out.",
        )  # fmt: skip
    return result(voice.text(*forms, who=seat, points=points, goal=R.NEEDED))


def _drawn(setup: GameSetup, before: R.State, after: R.State, voice: Voice) -> list[Text]:
    """Return what this seat itself drew."""
    if voice.seat < 0:
        return []
    held = in_order(before.hand[voice.seat])
    drawn = [n for n in in_order(after.hand[voice.seat]) if n not in held]
    return [aside(Text("You draw {items}.", items=[card(setup, n).name for n in drawn]))] if drawn else []
