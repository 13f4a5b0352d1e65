"""Matches: take actions and take them back; views, hints and log; records and positions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Self, cast

import numpy as np

from .errors import BadPosition, BadRecord, ChoiceError, IllegalChoice, SparringError
from .features import Recall, extended, recent_actions
from .formats.choice_parser import read_choice
from .formats.position_reader import read_seed
from .game import Game, GameSetup, winners_of
from .hints import Hint
from .messages import Text, say
from .records import (
    MatchStart,
    NewDeal,
    deal,
    read_position,
    read_record,
    redraw,
    secret_choices,
    setup_of,
    write_position,
    write_record,
)
from .tiered_rules import TieredRules
from .transitions import Lookahead, Moment
from .types import AnyState
from .views import Beat, Choice, Transition, View, beats_of, digest, memory_of, view_of

#: The message for an action after the end.
IS_OVER = Text("The match is over; there is nothing left to choose.")


class Match:
    """One match being played. Seats count from 1."""

    #: Computes hints (`bots.advise`); set by the package `sparring`, because the engine knows no bots.
    adviser: ClassVar[Callable[..., Hint]]

    def __init__(self, start: MatchStart) -> None:
        self.start = start
        self.setup, self.seed = start.setup, start.seed
        self.state = start.state.copy()
        self.history: list[int] = []
        self._moment = Moment()
        self._last: Transition | None = None
        self._lookahead = Lookahead(self.setup)
        # What each seat has observed, for the keys of histories.
        self._recalls: dict[int, Recall] = {}
        self.redraw(self.state, 0)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: everything but the caches."""
        return {**vars(self), "_lookahead": Lookahead(self.setup), "_recalls": {}}

    def clone(self) -> Self:
        """Return an independent copy, much faster than `copy.deepcopy`."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin.state, twin.history, twin._moment = self.state.copy(), self.history.copy(), self._moment.copy()
        twin._lookahead, twin._recalls = self._lookahead.copy(), self._recalls.copy()
        return twin

    @classmethod
    def new(
        cls, game: str | Game, *, seats: int | None = None, seed: int | None = None,
        options: Mapping[str, Any] | None = None, content: object = None, preset: str | None = None,
        machine_code: bool = True,
    ) -> Self:  # fmt: skip
        """Deal a match.

        :param game: The game, or its name or title.
        :param seats: The number of seats. Default: the smallest one.
        :param seed: From 0 to 2**63 - 1. Default: random.
        :param options: Options that differ from the defaults or the preset, by name.
        :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
        :param preset: The name of a variant of the game. Default: all options have their default values.
        :param machine_code: Run the rules as machine code after the first 1,000 actions with the same game, options and
            content in this process. Everything is the same, but actions, views and observations are about four times
            as fast. It is compiled for some seconds once, then cached. False: always interpret the rules, so that a
            debugger stops in them.
        :raises UnknownGame: There is no such game.
        :raises BadOption: The game has no such option, value, preset or number of seats.
        :raises BadContent: The content is invalid.
        """
        setup = setup_of(game, options, content, preset)
        return cls.deal(setup.machine_code if machine_code else setup, setup.game.check_seats(seats), seed)

    @classmethod
    def deal(cls, setup: GameSetup, seats: int, seed: int | None = None) -> Self:
        """Deal a match from a setup; without a seed it is random."""
        return cls(deal(setup, seats, seed))

    @classmethod
    def from_position(cls, position: Mapping[str, Any], content: object = None, *, game: Game | None = None) -> Self:
        """Start from a position: game, seats, options, seed, and the fields in the game's positions.md.

        `game` is for a game that is not installed. Raises BadPosition.
        """
        return cls(read_position(position, content, game))

    @classmethod
    def from_state_bytes(
        cls, game: str | Game, state: bytes, *, options: Mapping[str, Any] | None = None, content: object = None,
        preset: str | None = None,
    ) -> Self:  # fmt: skip
        """Start from a full state, as `state_bytes` returns it, of the same version of the game, options and content.

        Raises BadPosition if the state has the wrong size, and the errors of `new`.
        """
        setup = setup_of(game, options, content, preset)
        dtype = setup.game.rules.State.dtype
        if len(state) != dtype.itemsize:
            raise BadPosition(f"A state of {setup.game.title} has {dtype.itemsize} bytes, not {len(state)}.")
        start = MatchStart(setup, np.frombuffer(bytearray(state), dtype)[0], 0)
        return cls(start._replace(position=write_position(start)))

    # State, views and hints

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.setup.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.state.seats)

    @property
    def seat(self) -> int | None:
        """The seat that must act; None when the match is over."""
        return None if self.over else int(self.state.player) + 1

    @property
    def phase(self) -> str:
        """The name of the current phase."""
        return self.game.rules.PHASES[int(self.state.phase)]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def ending(self) -> str | None:
        """The name of the ending; None while playing."""
        return self.game.rules.ENDINGS[self.state.ending] if self.over else None

    @property
    def payoffs(self) -> dict[int, float] | None:
        """Each seat's payoff; None while playing.

        Losers get -1 and the winners share that; in a draw every seat gets 0. A game with `Payoffs` defines its own.
        """
        return {seat + 1: float(self.state.payoff[seat]) for seat in range(self.seats)} if self.over else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest payoff; empty while playing, and if all are equal."""
        won = winners_of(self.state.payoff[: self.seats]) & self.over
        return tuple(seat for seat in range(1, self.seats + 1) if won[seat - 1])

    @property
    def last_transition(self) -> Transition | None:
        """The last action with full states; None before the first one, and after taking back."""
        return self._last and self._lookahead.with_beats(self._last)

    def legal(self) -> list[int]:
        """Return the numbers of the legal actions, ascending."""
        return list(self.legal_at(self.state))

    def legal_at(self, state: AnyState) -> tuple[int, ...]:
        """Return the legal actions in any full state of this match, ascending."""
        return self._lookahead.legal(state)

    def choices(self) -> list[Choice]:
        """Return the legal choices, with their words."""
        return self.view(self.seat).choices if self.seat else []

    def view(self, seat: int = 0, *, memory: bool = False) -> View:
        """Return a seat's view; seat 0 is a spectator.

        `memory` adds its observations of all actions since the last new deal.
        """
        if not 0 <= seat <= self.seats:
            raise SparringError(f"There is no seat {seat}; the seats are 1 to {self.seats}, and 0 is a spectator.")
        view = self.view_of(self.state, seat)
        if not memory:
            return view
        return replace(view, memory=memory_of(self.setup, islice(self._replay(), self.last_deal, None), seat))

    def _replay(self, state: AnyState | None = None, first: int = 0) -> Iterator[tuple[Any, int]]:
        """Replay the match from action `first` and yield each action with the state before it.

        `state` is the state before action `first`; it is changed to the last one.
        """
        state = self.start.state.copy() if state is None else state
        for number, action in enumerate(self.history[first:], first):
            self.redraw(state, number)
            yield state.copy(), action
            self.setup.rules.step(self.setup.params, state, action)

    def state_bytes(self) -> bytes:
        """Return the full state as bytes, with everything hidden; `from_state_bytes` starts a match from them."""
        return self.state.tobytes()  # type: ignore[no-any-return]

    def history_key(self, seat: int) -> bytes:
        """Return 16 bytes that identify everything a seat has observed: an information state with perfect recall.

        The key hashes the seat's views and its observations of all actions, in order; `View.key` hashes only the
        current view. Called after each action, it takes the time of one view.
        """
        view = self.view(seat)
        recall = self._recalls.get(seat) or Recall(0, b"", self.start.state)
        if recall.played < len(self.history):
            recall = extended(self.setup, recall, self._replay, seat)
        self._recalls[seat] = recall
        return digest(recall.chain, view.state.tobytes(), bytes([seat]))

    def observed_actions(self, seat: int, length: int, *, frame: str = "seat") -> np.ndarray[Any, Any]:
        """Return what a seat observed of the last `length` actions, as an int32 array of shape (length, 4).

        Each row is the seat that acted (0: this seat, 1: the next one clockwise, ...), the action as the seat observed
        it (negative: hidden, see `observe_action`), the phase and the turn. The newest action is the last row; missing
        rows are -1. In the frame "seat" actions are as in the seat's features, in the frame "table" as in `legal`.
        """
        self.view(seat)
        return recent_actions(self.setup, self._replay(), seat, length, relative=frame == "seat")

    def view_of(self, state: AnyState, seat: int) -> View:
        """Return a seat's view of any full state of this match."""
        return view_of(self.setup, state, seat, legal=self.legal_at)

    def beats(self, seat: int = 0, transition: Transition | None = None, previous: View | None = None) -> list[Beat]:
        """Return the last action (or `transition`) as a seat sees it: the beats, then the state after it (`beats_of`).

        A seat that may not know about the action gets an empty list; so does every seat before the first action and
        after taking back. `previous` is the seat's view before the action, if it is known.
        """
        transition = transition or self.last_transition
        return (
            beats_of(self.setup, transition, seat, previous, partial(view_of, legal=self.legal_at))
            if transition
            else []
        )

    def hint(self, seat: int, bot: str = "search", *, quick: bool = False) -> Hint:
        """Return a bot's hint for the seat that must act, from its view alone; the same view gives the same hint.

        `bot` is a bot specification; `quick` answers within a second, without compiling anything. Raises IllegalChoice
        for any other seat, and BadBot if the bot gives no hints.
        """
        if self.over:
            raise IllegalChoice(str(IS_OVER))
        view_with = partial(self.view, seat)
        view_with()  # raises if there is no such seat
        if seat != self.seat:
            raise IllegalChoice(say("Only seat {seat} can get a hint, because it is their turn.", seat=self.seat))
        return Match.adviser(view_with, bot, quick=quick)

    def sentences(self, seat: int = 0) -> list[str]:
        """Return the sentences about the last action for a seat."""
        return [str(line) for beat in self.beats(seat) for line in beat.lines]

    def log(self, seat: int = 0) -> list[str]:
        """Replay the match and return all sentences for a seat."""
        self.view(seat)
        return [str(line) for each in self.transitions() for beat in self.beats(seat, each) for line in beat.lines]

    def transitions(self) -> Iterator[Transition]:
        """Replay the match and yield all actions with full states."""
        again = type(self)(self.start)
        for action in self.history:
            again.choose(action)
            yield cast(Transition, again.last_transition)

    # Playing

    def forced_action(self, *, concede: bool = False) -> int | None:
        """Return the action that the table may take for the player; None if the player has a choice.

        In a phase with a `forced_text` and only one action that does not concede, it is that action, or the conceding
        one if the player has already chosen to `concede`.
        """
        return self._lookahead.forced(self.state, concede=concede)

    def read(self, words: str | int) -> int:
        """Return the number of the legal action with these words or this number. Raises ChoiceError."""
        if self.over:
            raise IllegalChoice(str(IS_OVER))
        legal = self.legal_at(self.state)
        if words in legal:
            return int(words)
        view = self.view(self.seat or 0)
        if isinstance(words, str):
            return read_choice(self.setup, view.state, legal, words)
        if 0 <= words < len(self.game.rules.ACTIONS):
            raise IllegalChoice(self.setup.why_not(view.state, int(words)))
        raise IllegalChoice(f"The number of a choice must be 0 to {len(self.game.rules.ACTIONS) - 1}, not {words}.")

    def read_moment(self, choices: Sequence[str | int]) -> list[int]:
        """Return the actions that several choices mean, up to the one that ends the moment. Raises ChoiceError.

        Parsing further choices would reveal what that action reveals before it is taken.
        """
        ahead, actions = self.clone(), list[int]()
        for choice in choices:
            actions.append(ahead.read(choice))
            if len(actions) < len(choices):
                ahead.choose(actions[-1])
            if ahead.state.moment != self.state.moment:
                break
        return actions

    def choose(self, words: str | int, *, seat: int | None = None, joined: bool = False) -> None:
        """Take an action, by its words or number, for the seat whose turn it is. Raises ChoiceError.

        With `seat`, the action is refused if it is another seat's turn. A `joined` action is undone together with the
        one before it.
        """
        if seat is not None and seat != self.seat and not self.over:
            raise IllegalChoice(say("It is seat {seat}'s turn, not seat {other}'s.", seat=self.seat, other=seat))
        action = self.read(words)
        self._last = transition = self._lookahead.result(self.state, action)
        self.state = transition.after.copy()
        self.history.append(action)
        self._moment.add(transition, joined=joined)
        if self.redraw(self.state, len(self.history)):
            self._moment.clear()

    def continue_from(self, transitions: Sequence[Transition]) -> None:
        """Continue after actions that were already computed, by the same rules and from the same start."""
        if not transitions:
            return
        self._last = transitions[-1]
        self.state = transitions[-1].after.copy()
        self.history = [transition.action for transition in transitions]
        self._recalls.clear()
        self._moment.clear()
        for number, transition in enumerate(transitions, 1):
            self._moment.add(transition)
            if self.dealt_after(number):
                self._moment.clear()
        self.redraw(self.state, len(transitions))

    def preview(self, action: int) -> Transition:
        """Return the result of a legal action, with full states, without changing the match."""
        return self._lookahead.with_beats(self._lookahead.result(self.state, action))

    def play(self, words: str) -> None:
        """Take several actions, separated by semicolons."""
        for part in words.split(";"):
            if part.strip():
                self.choose(part)

    @property
    def can_take_back(self) -> bool:
        """Whether the last action can be taken back."""
        return bool(self._moment)

    @property
    def steps_to_take_back(self) -> int:
        """The number of actions to take back to undo the last real choice; 0 if there is none in this moment."""
        return self._moment.steps_to_take_back

    @property
    def joined(self) -> list[bool]:
        """For each action of the current moment, whether it is undone together with the one before it."""
        return self._moment.joined

    def join(self, joined: Sequence[bool]) -> None:
        """Restore `joined` after the actions were replayed one by one."""
        self._moment.join(joined)

    def take_back(self, steps: int = 1) -> None:
        """Take back the last `steps` actions of the current moment. Raises ChoiceError."""
        self.state = self._moment.take_back(steps)
        self._last = None
        self._recalls.clear()
        del self.history[-steps:]

    def back(self, steps: int = 1) -> None:
        """Undo the last `steps` actions, even if others have seen them.

        This is for research; at a table, all players must agree. The match is replayed from its start; to return to a
        state often, keep a `clone`. Raises ChoiceError.
        """
        if not 0 <= steps <= len(self.history):
            raise ChoiceError(f"Can't undo {steps} actions: the match has {len(self.history)}.")
        actions = self.history[: len(self.history) - steps]
        self.start = self.start._replace(deals=tuple(d for d in self.start.deals if d.after <= len(actions)))
        state = self.start.state.copy()
        self.redraw(state, 0)
        settled, count = state.copy(), 0  # the start of the last moment
        for number, action in enumerate(actions, 1):
            moment = int(state.moment)
            self.setup.rules.step(self.setup.params, state, action)
            if self.redraw(state, number) or state.moment != moment:
                settled, count = state.copy(), number
        self.state, self.history, self._last = settled, actions[:count], None
        self._moment.clear()
        self._recalls.clear()
        for action in actions[count:]:
            self.choose(action)

    # New deals

    def dealt_after(self, played: int) -> bool:
        """Return whether there is a new deal after `played` actions."""
        return any(deal.after == played for deal in self.start.deals)

    def redraw(self, state: AnyState, played: int) -> bool:
        """Change a full state of the match after `played` actions as a new deal there does; return whether it does."""
        return bool(self.start.deals) and redraw(self.setup, self.start.deals, state, played)

    @property
    def last_deal(self) -> int:
        """The number of actions before the last new deal."""
        return max((deal.after for deal in self.start.deals), default=0)

    def new_deal(self, transitions: Sequence[Transition] | None = None) -> NewDeal:
        """Return a new deal with a random seed, for `deal_again`.

        It takes back secret choices that are not revealed yet. `transitions` are those of the match, if they are known.
        """
        transitions = list(self.transitions()) if transitions is None else transitions
        secret = secret_choices(self.setup, transitions[self.last_deal :])
        return NewDeal(len(self.history) - secret, read_seed(None))

    def deal_again(self, deal: NewDeal) -> None:
        """Deal everything hidden again, after undoing the actions that the new deal takes back.

        Earlier actions can't be taken back then, except with `back`.
        """
        if deal.after < len(self.history):
            self.back(len(self.history) - deal.after)
        self.start = self.start._replace(deals=(*self.start.deals, deal))
        redraw(self.setup, (deal,), self.state, deal.after)
        self._moment.clear()

    # Records and positions

    def record(self, table: Mapping[str, Any] | None = None) -> str:
        """Return the match as text: game, options, content, seed, actions, and a checksum.

        `table` is additional data about where it was played; it does not affect the match.
        """
        return write_record(self.start, self.history, table)

    @classmethod
    def from_record(cls, record: str | bytes, *, upto: int | None = None, game: Game | None = None) -> Self:
        """Replay a record (its first `upto` actions); `game` is for a game that is not installed. Raises BadRecord."""
        start, choices = read_record(record, upto, game)
        match = cls(start)
        try:
            for action in choices:
                match.choose(action)
        except ChoiceError as problem:
            raise BadRecord(f"This record contains an illegal choice: {problem}") from None
        return match

    def position(self) -> dict[str, Any]:
        """Return the full state in readable form, for `from_position`, tests and bug reports."""
        return write_position(self.start._replace(state=self.state))


def _machine_code(game: Game, params: object) -> Any:
    from .compilation.single_calls import CompiledRules  # Numba: slow to import

    return CompiledRules(game, params)


TieredRules.compile_rules = staticmethod(_machine_code)
