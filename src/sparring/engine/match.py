"""One game being played: choose, take back, view, save, load, replay."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from . import chance
from .beats import Marked, watched
from .errors import BadPosition, BadRecord, ChoiceError, IllegalChoice, SparringError
from .game import Box, Game
from .game import game as find_game
from .readable import builtin, whole
from .rule import blank
from .words import read_choice

FORMAT = 1

#: What somebody is told who wants to choose something all the same.
IS_OVER = "The match is over; nothing more can be chosen."


class Choice(NamedTuple):
    """A choice that can be made now: its number, and the words that name it."""

    action: int
    words: str


@dataclass(frozen=True)
class View:
    """What one seat knows (seat 0: what everybody knows). Nothing else leaves a match for that seat."""

    box: Box
    seat: int
    state: Any
    #: What this seat may choose now; empty unless it is to choose.
    legal: tuple[int, ...] = ()
    #: Which of the game's BEATS it is; empty if the table is at rest.
    beat: str = ""

    @property
    def choices(self) -> list[Choice]:
        """The same with words."""
        return [Choice(action, self.box.game.scene.words(self.box, self.state, action)) for action in self.legal]

    @cached_property
    def scene(self) -> Any:
        """The table as this seat sees it (`sparring.scene.Scene`); printing it gives text."""
        return self.box.game.scene.scene(self.box, self.state, self.seat - 1, list(self.legal), self.beat)


class Beat(NamedTuple):
    """Something to be seen: the table as a seat sees it then, and the sentences of what led there."""

    view: View
    lines: tuple[str, ...]


class Course(NamedTuple):
    """What a choice did, in truth: the state it was made in, the choice, the beats, and the state at rest."""

    before: Any
    action: int
    #: Why it was the only choice, as everybody could see; empty if there was another.
    only: str
    marks: tuple[Marked, ...]
    after: Any


class _Step(NamedTuple):
    """A choice that can be taken back: the state before it, and whether it was the only one."""

    before: Any
    only: bool


class Match:
    """One game being played. Seats are counted from 1, as at a table."""

    def __init__(self, box: Box, state: Any, seed: int, position: Mapping[str, Any] | None = None) -> None:
        self.box = box
        self.state = state
        self.seed = seed
        self.start = position
        self.history: list[int] = []
        # The choices of the current moment.
        self._moment: list[_Step] = []
        #: What the last choice did, in truth; None before the first one, and when it was taken back.
        self.course: Course | None = None
        self._out = np.zeros(len(box.game.rules.ACTIONS), np.int16)

    @classmethod
    def new(
        cls, game: str | Game, *, seats: int | None = None, seed: int | None = None,
        options: Mapping[str, Any] | None = None, content: Any = None, preset: str | None = None,
    ) -> Self:  # fmt: skip
        """Deal a match. Without a seed chance decides; `content` is a file's path, its data, or what was read."""
        found = find_game(game) if isinstance(game, str) else game
        chosen = {**found.preset(preset), **(options or {})} if preset else options
        return cls.deal(found.box(chosen, _read(found, content)), found.check_seats(seats), seed)

    @classmethod
    def deal(cls, box: Box, seats: int, seed: int | None = None) -> Self:
        """Deal a match from an opened box."""
        seed = read_seed(seed)
        state = blank(box.game.rules.STATE)
        chance.seed(state.rng, seed, chance.DEAL)
        state.seats = seats
        box.game.rules.setup(box.kit, state)
        return cls(box, state, seed)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], content: Any = None, *, game: Game | None = None) -> Self:
        """Start from a position written by hand: game, seats, options, seed, and what the game's positions.md says.

        `game` is for a game that is not installed.
        """
        position = builtin(position)
        data = dict(position)
        name = data.pop("game", None)
        if not isinstance(name, str):
            raise BadPosition('A position names its game, as in game = "make-your-moves".')
        game = game or find_game(name)
        options, seats, seed = data.pop("options", {}), data.pop("seats", None), read_seed(data.pop("seed", 0))
        if not isinstance(options, Mapping):
            raise BadPosition("The options of a position are a table of names and values.")
        box = game.box(options, _read(game, content))
        state = blank(game.rules.STATE)
        state.seats = game.check_seats(seats)
        chance.seed(state.rng, seed, chance.DEAL)
        generator = data.pop("random", None)
        game.position.read(box, state, data, state.rng)
        if generator is not None:
            state.rng[:] = _read_generator(generator)
        return cls(box, state, seed, position)

    # Looking

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.box.game

    @property
    def seats(self) -> int:
        """How many seats play."""
        return int(self.state.seats)

    @property
    def seat(self) -> int | None:
        """The seat that is to choose; None when the match is over."""
        return None if self.over else int(self.state.player) + 1

    @property
    def phase(self) -> str:
        """The phase the match is in, by name."""
        return self.game.rules.PHASES[int(self.state.phase)]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def ending(self) -> str | None:
        """Which of the game's endings ended it."""
        return self.game.rules.ENDINGS[self.state.ending] if self.over else None

    @property
    def payoffs(self) -> dict[int, float] | None:
        """What each seat won or lost: losers -1, the winners share it, 0 for a draw between all. None while playing."""
        return {seat + 1: float(self.state.payoff[seat]) for seat in range(self.seats)} if self.over else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; nobody while playing, and in a draw between all."""
        return tuple(seat for seat, won in (self.payoffs or {}).items() if won > 0)

    def legal(self) -> list[int]:
        """The numbers of the choices that can be made now, ascending."""
        return self._legal(self.state)

    def _legal(self, truth: Any) -> list[int]:
        if truth.over:
            return []
        return self._out[: self.game.rules.legal(self.box.kit, truth, self._out)].tolist()  # type: ignore[no-any-return]

    def choices(self) -> list[Choice]:
        """What can be chosen now."""
        return self.view(self.seat).choices if self.seat else []

    def view(self, seat: int = 0) -> View:
        """What a seat knows; seat 0 is somebody who only watches."""
        if not 0 <= seat <= self.seats:
            raise SparringError(f"There is no seat {seat}; the seats are 1 to {self.seats}, and 0 only watches.")
        return self.view_of(self.state, seat)

    def view_of(self, truth: Any, seat: int, beat: str = "") -> View:
        """What a seat knows of any state of this match, in truth; at a beat nobody may choose."""
        state = truth.copy()
        self.game.rules.redact(self.box.kit, state, seat - 1)
        asked = not beat and seat == int(truth.player) + 1
        return View(self.box, seat, state, tuple(self._legal(truth)) if asked else (), beat)

    def beats(self, seat: int = 0, course: Course | None = None) -> list[Beat]:
        """The last choice (or an earlier one) as a seat saw it: what was to be seen in between, then the table at rest.

        Where nothing is told and nothing looks different there is no beat; so somebody who may not know that there was
        a choice has none. Empty before the first choice, and when the last one was taken back.
        """
        course = course or self.course
        if course is None:
            return []
        before, action, only, marks, after = course
        rules, tell = self.game.rules, self.game.scene.tell
        glimpse: int | None = int(rules.glimpse(self.box.kit, before, action, seat - 1))
        seen, found = self.view_of(before, seat), list[Beat]()
        for number, truth in (*marks, Marked(-1, after)):
            name = rules.BEATS[number] if number >= 0 else ""
            view = self.view_of(truth, seat, name)
            lines = tuple(tell(self.box, seen.state, glimpse, view.state, seat - 1, name))
            if only and glimpse is not None and seat - 1 == before.player:
                lines = _with_reason(only, lines)
            at_rest_after_beats = not name and bool(found)
            if lines or at_rest_after_beats or view.legal or view.state.tobytes() != seen.state.tobytes():
                found.append(Beat(view, lines))
            seen, glimpse = view, None
        return found

    def told(self, seat: int = 0) -> list[str]:
        """All sentences that a seat is told of the last choice."""
        return [line for beat in self.beats(seat) for line in beat.lines]

    def log(self, seat: int = 0) -> list[str]:
        """All that a seat was told since the match began: it is played again for that."""
        self.view(seat)
        again = self._anew()
        lines = list[str]()
        for action in self.history:
            again.choose(action)
            lines += again.told(seat)
        return lines

    def _anew(self) -> Self:
        """The same match before its first choice."""
        if self.start is None:
            return self.deal(self.box, self.seats, self.seed)
        return self.from_position(self.start, self.box.content, game=self.game)

    # Playing

    def only_choice(self, *, concede: bool = False) -> int | None:
        """What the table may answer for the seat that is asked; None if the seat is to be asked.

        Everybody can see that there is one choice only (OPEN), but for those that concede. Where the seat has said
        that it will `concede`, the answer is the one that does.
        """
        if self.over or int(self.state.phase) not in self.game.rules.OPEN:
            return None
        legal = self.legal()
        kept = [action for action in legal if action not in self.game.conceding]
        if len(kept) != 1:
            return None
        return next((action for action in legal if action != kept[0]), kept[0]) if concede else kept[0]

    def read(self, words: str | int) -> int:
        """The legal choice that the words (or the number) name; a ChoiceError if there is none."""
        if self.over:
            raise IllegalChoice(IS_OVER)
        legal = self.legal()
        if words in legal:
            return int(words)
        view = self.view(self.seat or 0)
        if isinstance(words, str):
            return read_choice(self.box, view.state, legal, words)
        if 0 <= words < len(self.game.rules.ACTIONS):
            raise IllegalChoice(self.game.scene.why_not(self.box, view.state, int(words)))
        raise IllegalChoice(f"There is no choice number {words}; they go from 0 to {len(self.game.rules.ACTIONS) - 1}.")

    def choose(self, words: str | int, *, seat: int | None = None) -> None:
        """Make one choice, for the seat whose choice it is; with a `seat`, only if it is that one's."""
        if seat is not None and seat != self.seat and not self.over:
            raise IllegalChoice(f"It is seat {self.seat} that chooses now, not seat {seat}.")
        action = self.read(words)
        self.course = course = self.foreseen(action)
        self.state = course.after.copy()
        self.history.append(action)
        if self.state.moment != course.before.moment:
            self._moment.clear()
        else:
            self._moment.append(_Step(course.before.copy(), bool(course.only)))

    def go_on_from(self, courses: Sequence[Course]) -> None:
        """Take over choices that were carried out before, by these rules and from this very deal."""
        if not courses:
            return
        self.course = courses[-1]
        self.state = courses[-1].after.copy()
        self.history = [course.action for course in courses]
        self._moment.clear()
        for course in reversed(courses):
            if course.after.moment != course.before.moment:
                break
            self._moment.insert(0, _Step(course.before.copy(), bool(course.only)))

    def foreseen(self, action: int) -> Course:
        """What a legal choice will do, in truth; nothing is changed yet."""
        before, after = self.state.copy(), self.state.copy()
        only = self.game.scene.ONLY[int(before.phase)] if action == self.only_choice() else ""
        with watched() as marks:
            self.game.rules.step(self.box.kit, after, action)
        return Course(before, action, only, tuple(marks), after)

    def play(self, words: str) -> None:
        """Make several choices, separated by semicolons."""
        for part in words.split(";"):
            if part.strip():
                self.choose(part)

    @property
    def can_take_back(self) -> bool:
        """Whether the last choice belongs to this moment still."""
        return bool(self._moment)

    @property
    def to_take_back(self) -> int:
        """How many choices lie between now and the last one of this moment that was not the only one; 0: none does."""
        free = [place for place, step in enumerate(reversed(self._moment), 1) if not step.only]
        return free[0] if free else 0

    def take_back(self, steps: int = 1) -> None:
        """Undo the last choice, or the last `steps` ones, as long as nobody has learned anything from them."""
        if not 0 < steps <= len(self._moment):
            raise ChoiceError("Nothing can be taken back: the last choice has been seen, or another seat is to choose.")
        self.state = self._moment[-steps].before
        self.course = None
        del self._moment[-steps:], self.history[-steps:]

    # Keeping

    def record(self) -> str:
        """The match as a text: what it is played with, the seed, the choices, and a checksum over all of it."""
        body: dict[str, Any] = {
            "format": FORMAT, "game": self.game.name, "version": self.game.version, "seats": self.seats,
            "seed": self.seed, "options": self.box.options, "choices": self.history,
        }  # fmt: skip
        if self.box.own_content:
            body["content"] = msgspec.to_builtins(self.box.content)
        if self.start is not None:
            body["position"] = msgspec.to_builtins(self.start, str_keys=True)
        return _sealed(body)

    @classmethod
    def from_record(cls, record: str | bytes, *, upto: int | None = None, game: Game | None = None) -> Self:
        """Replay a record (the first `upto` choices of it); `game` is for a game that is not installed."""
        body = _unsealed(record)
        try:
            game = game or find_game(body["game"])
            if body["version"] != game.version:
                raise BadRecord(
                    f"This record is from version {body['version']} of {game.title}; here is version {game.version}."
                )
            content = game.kit.read_content(body["content"], "the record") if "content" in body else None
            if "position" in body:
                match = cls.from_position(body["position"], content, game=game)
            else:
                match = cls.deal(game.box(body["options"], content), game.check_seats(body["seats"]), body["seed"])
            for action in body["choices"][:upto]:
                match.choose(int(action))
        except (KeyError, TypeError, ValueError) as problem:
            raise BadRecord("This record lacks something that every record has.") from problem
        except ChoiceError as problem:
            raise BadRecord(f"This record holds a choice that is not legal: {problem}") from None
        return match

    def position(self) -> dict[str, Any]:
        """The whole true state in readable form, for `from_position`, tests and bug reports."""
        return {
            "game": self.game.name, "seats": self.seats, "seed": self.seed, "options": self.box.options,
            "random": self.state.rng.tolist(), **self.game.position.write(self.box, self.state),
        }  # fmt: skip


def _with_reason(only: str, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of a choice, with the reason why there was no other."""
    if not only.endswith(":"):
        return (only, *lines)
    if not lines:
        return ()
    first = lines[0]
    if first.startswith(("You ", "The ", "Your ")):
        first = first[0].lower() + first[1:]
    return (f"{only} {first}", *lines[1:])


def _read(game: Game, content: Any) -> Any:
    """Content as `Game.read_content` gives it: a file's path or the plain data of one is read and checked."""
    if isinstance(content, Mapping):
        return game.kit.read_content(content, "the content")
    return game.read_content(content) if isinstance(content, str | Path) else content


def read_seed(seed: int | None) -> int:
    """A seed somebody gave, or one that nobody knows."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
        raise SparringError(f"The seed is a whole number from 0 to {(1 << 63) - 1}, not {seed}.")
    return seed


def _read_generator(words: Any) -> list[int]:
    """The state of the generator as `position()` wrote it."""
    if not isinstance(words, list) or len(words) != 4 or words == [0, 0, 0, 0]:
        raise BadPosition(f"random is four whole numbers that are not all 0, not {words}.")
    return [whole("random", word, 0, chance.MASK) for word in words]


def _sealed(body: Mapping[str, Any]) -> str:
    text = msgspec.json.encode(body, order="deterministic")
    return msgspec.json.encode({**body, "check": _check(text)}, order="deterministic").decode()


def _unsealed(record: str | bytes) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(record)
        sealed = _sealed({key: value for key, value in body.items() if key != "check"})
    except (msgspec.MsgspecError, AttributeError, UnicodeError, RecursionError):
        raise BadRecord("This is not a record of a match.") from None
    text = record if isinstance(record, str) else record.decode()
    if sealed != text.rstrip("\n"):
        raise BadRecord("This record was changed or damaged: its checksum does not fit.")
    if body.get("format") != FORMAT:
        raise BadRecord(f"This record has format {body.get('format')}; here is format {FORMAT}.")
    return body  # type: ignore[no-any-return]


def _check(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=16).hexdigest()
