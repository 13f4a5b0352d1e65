"""Whole matches as text: every choice, with each seat's log and table after it. `make generated` rewrites them.

Each built-in game has a match for its default, one for each preset, and those of MORE. The matches are random; the
shortest of several seeds is used. A game's shortest text is a file to read; the others are checksums."""

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

import sparring
from playthroughs.recordings import Recording
from sparring import Game, Match, games
from sparring.engine.options import Value
from sparring.scene.text import render

FOLDER = Path(__file__).parent
HOUSE = Path(sparring.__file__).parent
SEEDS = range(1, 13)

LEGEND = """\
Each line starts with who sees it: seats by number, w for a spectator.
  > a log sentence   | a new line of the table   - a line that has gone   ? the choices now
"""


@dataclass(frozen=True, eq=False)
class Plan:
    """A match to write."""

    game: Game
    name: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """Return the name of its recording."""
        return f"{self.game.name}-{self.name.replace(' ', '-')}"


#: Further matches worth reading: seats and options by game and name.
MORE: dict[str, dict[str, tuple[int, dict[str, Value]]]] = {
    "mace": {
        "other options": (
            3,
            {"jokers": 4, "radius": 5, "discard_timing": "after_attack", "blast_cost": "reveal_only",
             "knockback_rounding": "up", "knockback_reach": "stops", "forfeits": "off", "stall_rounds": 4},
        ),
    },
    "make-your-moves": {
        "elimination": (4, {"match": "elimination", "wild_fours": "yes", "turn_limit": 20}),
        "other options": (
            3,
            {"pass_attack": "yes", "defence_wilds": "one", "assist_fit": "match", "point_cards": "marker",
             "first_control": "seat1", "turn_limit": 20},
        ),
    },
    "untitled-movement": {
        "in brief": (2, {"home": 1, "stall_rounds": 3}),
        "other options": (
            4,
            {"board": "pinwheel", "deck": "pnp", "die": "d6", "stall_rounds": 12, "stall_result": "draw"},
        ),
    },
    "world-of-fighters": {
        "other options": (
            2,
            {"board": "5x5", "movement": "upto", "pass_through": "yes", "punch_ends": "both", "settle": "together",
             "super_call": "reveal", "super_score": "plus", "super_vs_block": "ringout", "round_limit": 20},
        ),
    },
}  # fmt: skip


def is_built_in(game: Game) -> bool:
    """Return whether a game is built in."""
    return game.folder.is_relative_to(HOUSE)


def plans() -> list[Plan]:
    """Return all matches to write."""
    found = []
    for game in filter(is_built_in, games().values()):
        found.append(Plan(game, "standard", game.seats[0]))
        found += [Plan(game, name, game.seats[0], preset.options) for name, preset in game.presets.items()]
        found += [Plan(game, name, *told) for name, told in MORE.get(game.name, {}).items()]
    return found


def choices_of(plan: Plan, seed: int, most: int) -> list[int] | None:
    """Return the choices of a random match; None if it has more than `most`."""
    match, rng = Match.new(plan.game, seats=plan.seats, seed=seed, options=plan.options), random.Random(seed)
    choices: list[int] = []
    while not match.over:
        if len(choices) == most:
            return None
        choices.append(rng.choice([action for action in match.legal() if action not in plan.game.conceding]))
        plan.game.rules.step(match.setup.params, match.state, choices[-1])
    return choices


def playthrough(plan: Plan) -> str:
    """Return the whole match as text."""
    best, seed, most = None, 0, 10_000
    for number in SEEDS:
        choices = choices_of(plan, number, most)
        if choices is not None:
            best, seed, most = choices, number, len(choices) - 1
    assert best is not None, f"every match of {plan.file_name} is too long"
    match = Match.new(plan.game, seats=plan.seats, seed=seed, options=plan.options)
    options = ", ".join(f"{name} {value}" for name, value in match.setup.options.items())
    head = f"{plan.game.title}, version {plan.game.version}: {plan.name}\n{plan.seats} seats, seed {seed}; {options}\n"
    return "\n".join([head, LEGEND, *_SeatLogs(match).log(best), ""])


class _SeatLogs:
    """Each seat and a spectator, with what they have seen so far."""

    def __init__(self, match: Match) -> None:
        self.match = match
        # Without hidden information all see the same, so one spectator suffices.
        self.seats = [*range(1, match.seats + 1), 0] if match.game.hidden else [0]
        self.shown: dict[int, list[str]] = {seat: [] for seat in self.seats}

    def log(self, choices: list[int]) -> Iterator[str]:
        yield from self.look()
        for number, action in enumerate(choices, 1):
            yield from ("", self.choose(number, action))
            yield from self.news
            yield from self.look()
        yield from ("", f"{self.match.ending}: {self.match.payoffs}")

    def choose(self, number: int, action: int) -> str:
        """Make a choice and return the log lines about it."""
        match = self.match
        words = match.game.scene.words(match.setup, match.view(match.seat or 0).state, action)
        head = f"{number}. Seat {match.seat}, {match.phase}: {words}"
        match.choose(action)
        told = {seat: [f"> {line}" for line in match.sentences(seat)] for seat in self.seats}
        self.news = list(self.shared(told))
        return head

    def look(self) -> Iterator[str]:
        """Return what is new for each viewer."""
        changes = {}
        for seat in self.seats:
            view = self.match.view(seat)
            now = [line for line in render(view.scene, choices=False).splitlines() if line]
            changes[seat] = list(_changes(self.shown[seat], now))
            self.shown[seat] = now
        yield from self.shared(changes)
        if not self.match.over:
            words = dict.fromkeys(choice.words for choice in self.match.choices())
            asked = self.match.seat if self.match.game.hidden else 0
            yield from self.shared({seat: [f"? {' · '.join(words)}"] if seat == asked else [] for seat in self.seats})

    def shared(self, lines: Mapping[int, list[str]]) -> Iterator[str]:
        """Return the lines in order, each once, after the names of those who get it."""
        for line in dict.fromkeys(itertools.chain(*lines.values())):
            who = "".join((str(seat) if seat else "w") if line in lines[seat] else " " for seat in self.seats)
            yield f"{who} {line}"


def _changes(before: list[str], now: list[str]) -> Iterator[str]:
    for what, i, j, k, m in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if what == "delete":
            yield from (f"- {line}" for line in before[i:j])
        elif what != "equal":
            yield from (f"| {line}" for line in now[k:m])


def recordings(only: list[str]) -> Iterator[Recording]:
    """Yield the matches of all games, or of some."""
    for _, same_game in itertools.groupby(plans(), key=lambda plan: plan.game.name):
        texts = {plan: playthrough(plan) for plan in same_game if not only or plan.game.name in only}
        shortest = min(texts, key=lambda plan: texts[plan].count("\n"), default=None)
        yield from (Recording(plan.file_name, text, plan is shortest) for plan, text in texts.items())
