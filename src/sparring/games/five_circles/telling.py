"""Five Circles in sentences: what just happened, lane by lane."""

from typing import Any

from sparring.engine.cards import holds, insert
from sparring.engine.game import Box
from sparring.scene.sentences import Voice, listed

from . import using as U
from .abilities import ABILITIES, SERENITY
from .combat import GOES_ON, NEXT_LANE, close_ranks, go_on, start_combat
from .rules import choose, make_ready, wake
from .state import (
    ACTIONS, ANSWER, BRING, COLOURS, DONE, EXTRA, LANE, MEND, NO_LIFE, PICK, PLAY, RAN_DRY, RESOURCES_PHASE,
    SEATS, SIDE, SLOTS, SPREAD, USE,
)  # fmt: skip
from .table import discard_of, fights, sweep
from .words import ability_in, called, name


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """What a choice did, in sentences for `seat`: the choice, what came of it by itself, and the turn that begins."""
    assert action is not None
    voice = Voice(seat)
    lines = _choice(box, before, action, voice)
    course = _Course(box, before, action, after, voice)
    lines += course.lines()
    lines += _drawn(box, before, action, after, voice)
    if after.over:
        lines.append(ending(after, seat))
    return lines


def _choice(box: Box, s: Any, action: int, voice: Voice) -> list[str]:
    """The choice in a sentence; none for what is better left unsaid."""
    who = int(s.player)
    block, number = ACTIONS.name_of(action) if action >= 0 else ("hidden", -1)
    if block == "resource":
        return [f"{voice.does(who, 'play', 'plays')} a {COLOURS[number]} resource."]
    if block == "bring":
        free = " for free" if s.phase == EXTRA else ""
        return [f"{voice.does(who, 'bring', 'brings')} {name(box, number)}{free}."]
    if block == "use":
        return _use(box, s, number, voice)
    if block == "hold":
        return [f"{called(box, s, int(s.row[s.active * SIDE + s.lane]) - 1, voice.seat)} holds back."]
    if s.phase == SPREAD and block == "target":
        return [f"A point goes to {called(box, s, number, voice.seat)}."]
    if s.phase == PICK and block in ("target", "player", "place"):
        return _picked(box, s, block, number, voice)
    return []


def _use(box: Box, s: Any, number: int, voice: Voice) -> list[str]:
    card, ability = number // SLOTS, ability_in(box, number // SLOTS, number % SLOTS)
    user = called(box, s, card, voice.seat)
    if ability is None or (ability.wants >= U.ENEMY and ability.wants != U.ARRANGE and s.phase != ANSWER):
        return []  # told with what is picked
    if ability is ABILITIES[SERENITY]:
        return [f"{user} is discarded for {ability.name}."]
    if ability.word:
        return [f"{user} {ability.word}s the damage."]
    return [f"{user} uses {ability.name}."]


def _picked(box: Box, s: Any, block: str, number: int, voice: Voice) -> list[str]:
    ability = ABILITIES[int(s.ability)]
    if ability.wants == U.ARRANGE:
        return []
    user = called(box, s, int(s.using) - 1, voice.seat)
    if block == "player":
        return [f"{user} uses {ability.name} on {voice.whom(1 - int(s.player))}."]
    if block == "place":
        return [f"{user} uses {ability.name}: {name(box, _discarded(box, s, number))} goes to {_whose(s, voice)} hand."]
    if ability.wants == U.PAIR:
        if s.first == 0:
            return []
        one, other = called(box, s, int(s.first) - 1, voice.seat), called(box, s, number, voice.seat)
        return [f"{user} uses {ability.name}: {one} and {other} change lanes."]
    return [f"{user} uses {ability.name} on {called(box, s, number, voice.seat)}."]


def _discarded(box: Box, s: Any, place: int) -> int:
    return int(discard_of(box.kit, s, s.player)[place + 1])


def _whose(s: Any, voice: Voice) -> str:
    return "your" if voice.seat == s.player else "the"


class _Course:
    """Plays the public part of what followed once more, on the view from before, and says what it sees."""

    def __init__(self, box: Box, before: Any, action: int, after: Any, voice: Voice) -> None:
        self.box, self.action, self.after, self.voice = box, action, after, voice
        self.v = before.copy()
        self.said: list[str] = []
        #: What happened in the lane being fought: points taken by card, cards destroyed, other sentences.
        self.taken: dict[int, int] = {}
        self.names_of_taken: dict[int, str] = {}
        self.fallen: list[str] = []
        self.lost: list[str] = []
        self.label = ""

    def lines(self) -> list[str]:
        """The sentences."""
        v, after, kit = self.v, self.after, self.box.kit
        if self.chosen():
            return self.said
        while not v.over and (v.turn < after.turn or after.over or v.window < after.window):
            if v.window == RESOURCES_PHASE:
                make_ready(kit, v)
            elif v.window < LANE:
                if v.turn == after.turn and after.window < LANE:
                    break
                if fights(kit, v) and v.last[v.active] > 0:
                    start_combat(v)
                else:
                    close_ranks(v)
            elif v.window == LANE:
                if self.fight():
                    break
            elif v.turn < after.turn:
                self.next_turn()
            else:
                break
        if not v.over and v.window == LANE and after.turn == v.turn:
            self.fight()
        return self.said

    def chosen(self) -> bool:
        """Make the choice. Whether nothing follows from it by itself."""
        v, kit = self.v, self.box.kit
        v.cards += 100  # an empty hand would draw, and nobody knows what
        if self.action == DONE:
            if v.window == MEND:
                return bool(self.after.turn == v.turn)
            if v.window == RESOURCES_PHASE:
                make_ready(kit, v)
            return False
        if self.action < 0:
            return bool(self.after.phase == PICK and self.after.turn == v.turn)
        if BRING <= self.action < USE and not holds(v.hand[v.player], self.action - BRING):
            insert(v.hand[v.player], self.action - BRING)
        self.label = f"Lane {v.lane}: " if v.window == LANE else ""
        asked = self.watch(lambda: choose(kit, v, self.action))
        if self.uses(SERENITY):
            self.fallen.clear()  # told with the choice
        if not asked and v.window != LANE:
            self.watch(lambda: sweep(kit, v))
        if v.window != LANE or v.stage == NEXT_LANE or v.over:
            self.flush()
        return bool(asked)

    def uses(self, ability: int) -> bool:
        """Whether the choice is to use this ability."""
        block, number = ACTIONS.name_of(self.action)
        return block == "use" and int(self.box.kit.card_ability[number // SLOTS, number % SLOTS]) == ability

    def fight(self) -> bool:
        """Combat, until somebody is asked (then True) or it is over."""
        v = self.v
        how = GOES_ON
        while how == GOES_ON and not v.over:
            self.label = f"Lane {v.lane + (v.stage == NEXT_LANE)}: "
            how = self.watch(lambda: go_on(self.box.kit, v))
            if v.stage == NEXT_LANE:
                self.flush()
        self.flush()
        return bool(v.over or v.window == LANE)

    def watch(self, happens: Any) -> Any:
        """Let something happen and note who takes damage, who falls, and who loses life."""
        v = self.v
        damage, at, life = v.damage.copy(), v.at.copy(), v.life.copy()
        names = {
            card: called(self.box, v, card, self.voice.seat) for card in range(self.box.kit.characters) if at[card]
        }
        result = happens()
        for card, called_so in names.items():
            points = int(v.damage[card] - damage[card])
            if v.at[card] and points > 0:
                self.taken[card] = self.taken.get(card, 0) + points
                self.names_of_taken[card] = called_so
            elif not v.at[card]:
                self.fallen.append(called_so)
        for seat in range(SEATS):
            lost = int(life[seat] - v.life[seat])
            if lost:
                self.lost.append(f"{self.voice.then(seat, 'lose', 'loses')} {lost} life, {int(v.life[seat])} left")
        return result

    def flush(self) -> None:
        """Say what was noted."""
        parts = [f"{self.names_of_taken[card]} takes {points}" for card, points in self.taken.items()]
        if self.fallen:
            parts.append(f"{listed(self.fallen)} {'is' if len(self.fallen) == 1 else 'are'} destroyed")
        parts += self.lost
        if parts:
            line = self.label + ", ".join(parts)
            self.said.append(line[0].upper() + line[1:] + ".")
        self.taken, self.fallen, self.lost, self.names_of_taken = {}, [], [], {}

    def next_turn(self) -> None:
        """END, and the other seat's turn."""
        v = self.v
        wake(v, 0)
        wake(v, 1)
        v.serene = 0
        v.active = 1 - v.active
        v.turn += 1
        v.laid = 0
        v.window = RESOURCES_PHASE
        whose = "your turn" if v.active == self.voice.seat else f"{self.voice.whom(int(v.active))} is next"
        self.said.append(f"Turn {v.turn}: {whose}.")


def _drawn(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """What this seat drew; of others how many, if more than one."""
    block = ACTIONS.name_of(action)[0] if action >= 0 else ""
    lines = []
    for seat in range(SEATS):
        played = int(seat == before.player and block in ("resource", "bring"))
        restored = int(seat == before.player and before.phase == PICK and block == "place"
                       and ABILITIES[int(before.ability)].wants == U.DISCARD)  # fmt: skip
        count = int(after.cards[seat] - before.cards[seat]) + played - restored
        if count > 0 and seat == voice.seat:
            lines.append(f"You draw {listed(_new_cards(box, before, action, after, seat))}.")
        elif count > 1:
            lines.append(f"{voice.does(seat, 'draw', 'draws')} {count} cards.")
    return lines


def _new_cards(box: Box, before: Any, action: int, after: Any, seat: int) -> list[str]:
    old = before.hand[seat, 1 : before.hand[seat, 0] + 1].tolist()
    found = [name(box, card) for card in after.hand[seat, 1 : after.hand[seat, 0] + 1].tolist() if card not in old]
    for colour, word in enumerate(COLOURS):
        played = int(action == PLAY + colour and before.player == seat)
        count = int(after.held[seat, colour] - before.held[seat, colour]) + played
        found += [word if count == 1 else f"{count} {word}"] if count > 0 else []
    return found


def ending(s: Any, seat: int) -> str:
    """Who won, and by what."""
    voice = Voice(seat)
    winners = [i for i in range(SEATS) if s.payoff[i] > 0]
    if s.ending == NO_LIFE:
        return f"{voice.does(winners[0], 'win', 'wins')}: {voice.whom(1 - winners[0])} has no life left.".replace(
            "you has", "you have"
        )
    how = "The deck ran dry" if s.ending == RAN_DRY else "The turn limit is reached"
    if not winners:
        return f"{how} with {int(s.life[0])} life each: a draw."
    return f"{how}: {voice.then(winners[0], 'win', 'wins')} with {int(max(s.life))} life against {int(min(s.life))}."
