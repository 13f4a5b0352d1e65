"""Parse bot specifications: `random`, `search`, `search:level=strong`, `search:iterations=500`, `search:seconds=1`.

`plain` is the same search without a value model, and `mix` is the mixed-strategy bot (`mixed_strategy_bot`); both take
the settings of `search`. `search` and `plain` also take a number of threads: `search:level=master:threads=2`.
`pipe:COMMAND` starts a program; other names are those of installed bots (`external_bot`).
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from sparring.engine.compilation.drivers import Driver
from sparring.engine.errors import BadBot
from sparring.engine.game import LEVELS, Game, GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.hints import Hint
from sparring.engine.match import Match
from sparring.engine.views import View

from .bot import Bot, stream
from .external_bot import PIPE, find_bot, installed, pipe_bot
from .mixed_strategy_bot import MixedStrategyBot
from .mixed_strategy_search import mixed_search_rule
from .parallel import MAX_THREADS
from .search import search_rule

#: The level of `search` without settings.
DEFAULT_LEVEL = "strong"

#: The bots offered to players, weakest first.
STRENGTHS = ("random", *(f"search:level={level}" for level in LEVELS))

#: The titles of levels whose names aren't titles.
LEVEL_TITLES = {"first-match": "Beginner"}

#: The mixed-strategy bot, also offered in games with `Game.needs_mixed_strategies`.
MIXED_STRATEGY = "mix"

#: The kinds of bots that search, and the prefixes of their titles.
SEARCHES: dict[str, Callable[..., Bot]] = {
    "search": partial(Bot, evaluates=True),
    "plain": Bot,
    "mix": MixedStrategyBot,
}
PREFIXES = {"plain": "Plain", "mix": "Mixed-strategy"}  # shown at tables

#: Names for bots at a table, in this order.
NAMES = ("Bolt", "Cog", "Gizmo", "Pixel", "Rivet", "Widget", "Fuse", "Spring")

#: The maximum budgets per decision.
MAX_ITERATIONS = 1_000_000
MAX_SECONDS = 60.0


#: The prefix of a random bot that replaces a failed bot.
REPLACEMENT_PREFIX = "stand-in:"


def parse(text: str) -> Bot:
    """Return the bot for a specification. Raises BadBot, which lists the possible specifications."""
    spec = text.strip()
    if spec.lower().startswith(PIPE):
        return pipe_bot(PIPE + spec[len(PIPE) :])  # commands are case-sensitive
    spec = spec.lower()
    if spec.startswith(REPLACEMENT_PREFIX):
        return Bot(spec, f"{title(spec.removeprefix(REPLACEMENT_PREFIX))}, plays at random: its program failed")
    kind, colon, budget = spec.partition(":")
    if kind == "random" and not colon:
        return Bot(spec, "Random bot")
    if kind not in SEARCHES or (colon and not budget):
        if external := find_bot(spec):
            return external
        raise BadBot(f"There is no bot called {text}; choose {', '.join(kinds())}.")
    bot = _searching_bot(kind, spec, budget if colon else f"level={DEFAULT_LEVEL}")
    if kind == "search":
        return bot
    # The title of `mix` names no level: its strength depends more on the game than on the level.
    suffix = "bot" if spec == MIXED_STRATEGY else bot.title.lower()
    return replace(bot, title=f"{PREFIXES[kind]} {suffix}")


def _searching_bot(kind: str, spec: str, budget: str) -> Bot:
    """Return a bot that searches, from its kind, its specification and the budget in it (`level=strong`)."""
    budget, _, more = budget.partition(":")
    make = SEARCHES[kind]
    if more:
        if kind == MIXED_STRATEGY or not more.startswith("threads="):
            raise BadBot(f"{kind} has no setting {more.partition('=')[0]} after {budget}.")
        make = partial(make, threads=_threads(more.removeprefix("threads=")))
    setting, _, value = budget.partition("=")
    match setting:
        case "level":
            return make(spec, f"{_level(value)} bot", level=value)
        case "iterations":
            return make(spec, f"Bot with {_iterations(value)} iterations", iterations=_iterations(value))
        case "seconds":
            return make(spec, f"Bot with {_seconds(value):g} s per choice", seconds=_seconds(value))
    raise BadBot(
        f"{kind} has no setting {setting}; its settings are level ({', '.join(LEVELS)}), iterations and seconds."
    )


def kinds() -> list[str]:
    """Return the forms of a bot specification."""
    return ["random", "search", "search:level=NAME", "search:iterations=NUMBER", "search:seconds=NUMBER", "plain",
            "mix", *installed(), "pipe:COMMAND"]  # fmt: skip


def offered_bots(game: Game) -> tuple[str, ...]:
    """Return the bots offered to players in a game, weakest first, then the mixed-strategy bot if the game has one."""
    return (*STRENGTHS, MIXED_STRATEGY) if game.needs_mixed_strategies else STRENGTHS


def replacement_bot(bot: str) -> Bot:
    """Return the random bot that replaces a failed bot."""
    return parse(REPLACEMENT_PREFIX + bot)


def is_random(bot: str) -> bool:
    """Return whether a bot specification means a random bot."""
    return bot == "random" or bot.startswith(REPLACEMENT_PREFIX)


def remembers(bot: str) -> bool:
    """Return whether a bot needs views with a memory of earlier observations; false if it is not installed."""
    try:
        return parse(bot).remembers
    except BadBot:
        return False


def title(bot: str, setup: GameSetup | None = None, seats: int = 0) -> str:
    """Return a bot's title from its specification, even if it is no longer installed.

    With `setup` and `seats`, it is the title at that table (`Bot.title_at`).
    """
    try:
        parsed = parse(bot)
        return parsed.title_at(setup, seats) if setup else parsed.title
    except BadBot:
        return f"{bot.partition(':')[0].replace('-', ' ').capitalize()} bot"


def advise(make_view: Callable[..., View], bot: str, *, quick: bool = False) -> Hint:
    """Return a bot's hint; `make_view(memory=...)` returns the view, as `Match.view` does. Raises BadBot."""
    adviser = parse(bot)
    return adviser.advise(make_view(memory=adviser.remembers), quick=quick)


def free_name(taken: Collection[str]) -> str:
    """Return a name for the next bot at a table where these names are taken."""
    known = {name.casefold() for name in taken}
    return next((name for name in NAMES if name.casefold() not in known), f"Bot {len(taken) + 1}")


def _level(level: str) -> str:
    if level not in LEVELS:
        raise BadBot(f"There is no level {level or '(empty)'}; choose {', '.join(LEVELS)}.")
    return LEVEL_TITLES.get(level, level.capitalize())


def _iterations(value: str) -> int:
    if not value.isdecimal() or not value.isascii() or not 1 <= int(value[:9]) <= MAX_ITERATIONS:
        raise BadBot(f"iterations must be a whole number from 1 to {MAX_ITERATIONS}, not {value or 'empty'}.")
    return int(value)


def _threads(value: str) -> int:
    if not value.isdecimal() or not value.isascii() or not 1 <= int(value[:9]) <= MAX_THREADS:
        raise BadBot(f"threads must be a whole number from 1 to {MAX_THREADS}, not {value or 'empty'}.")
    return int(value)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.01 <= seconds <= MAX_SECONDS:
        raise BadBot(f"seconds must be a number from 0.01 to {MAX_SECONDS:g}, not {value or 'empty'}.")
    return seconds


#: The compiled searches, by the kind of bot that uses them.
SEARCH_DRIVERS: dict[str, Callable[[Game], Driver]] = {"search": search_rule, "mix": mixed_search_rule}


def search_of(bot: str) -> str:
    """Return the key in CODE of the search that a bot uses."""
    return "mix" if remembers(bot) else "search"


def needed_searches(game: Game) -> tuple[str, ...]:
    """Return the keys in CODE of the searches used by the bots that a game offers."""
    return tuple(SEARCH_DRIVERS) if game.needs_mixed_strategies else ("search",)


def is_ready(game: Game, code: Collection[str] = ("search",)) -> bool:
    """Return whether these searches are compiled and cached on disk; `code` are keys in CODE."""
    from sparring.engine.compilation.machine_code import is_cached

    return all(is_cached(game, SEARCH_DRIVERS[name]) for name in code)


def compile_searches(game: Game, code: Collection[str] = ("search",)) -> None:
    """Compile these searches for a game unless they are cached, and return when they are on disk."""
    match = Match.deal(game.setup(), game.seats[0], seed=0)
    view = match.view(match.seat or 0, memory=True)
    for name in code:
        parse(f"{name}:iterations=1").choose(view, stream(0, view.seat), even=True)


def start_compiling(game: Game, code: Collection[str] = ("search",)) -> BaseProcess:
    """Start a daemon process that runs `compile_searches`."""
    process = get_context("spawn").Process(target=_compile_by_name, args=(game.name, code), daemon=True)
    process.start()
    return process


def _compile_by_name(name: str, code: Collection[str]) -> None:
    compile_searches(find_game(name), code)
