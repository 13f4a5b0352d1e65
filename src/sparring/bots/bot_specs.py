"""Parse bot specifications: `random`, `search`, `search:level=strong`, `search:iterations=500`, `search:seconds=1`.

`plain` takes the same settings as `search`: the same search without a value model. `mix` does too: a mixed-strategy bot
(`mixed_strategy_bot`). Other names are those of installed bots, and `pipe:COMMAND` starts a program (`external`).
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from sparring.engine.errors import BadBot
from sparring.engine.game import LEVELS, Box, Game
from sparring.engine.hints import Hint
from sparring.engine.views import View

from .bot import Bot
from .external import installed, named, piped
from .external.external_bot import PIPE
from .mixed_strategy_bot import MixedStrategyBot

#: The level of `search` without settings.
DEFAULT_LEVEL = "strong"

#: The bots offered to players, weakest first.
STRENGTHS = ("random", *(f"search:level={level}" for level in LEVELS))

#: The mixed-strategy bot, offered in addition where `Game.mixes`.
MIXING = "mix"

#: The kinds of searching bots, and the prefixes of their titles.
SEARCHES: dict[str, Callable[..., Bot]] = {
    "search": partial(Bot, evaluates=True),
    "plain": Bot,
    "mix": MixedStrategyBot,
}
PREFIXES = {"plain": "Plain", "mix": "Mixed-strategy"}  # shown at tables

#: Names for bots at a table, in this order.
NAMES = ("Bolt", "Cog", "Gizmo", "Pixel", "Rivet", "Widget", "Fuse", "Spring")

#: The largest budgets (iterations, seconds).
MOST_ITERATIONS = 1_000_000
LONGEST = 60.0


#: The prefix of a random bot that replaces a failed bot.
STAND_IN = "stand-in:"


def parse(text: str) -> Bot:
    """Return the bot for a specification; raises BadBot with a sentence that says what is possible."""
    words = text.strip()
    if words.lower().startswith(PIPE):
        return piped(PIPE + words[len(PIPE) :])  # commands are case-sensitive
    words = words.lower()
    if words.startswith(STAND_IN):
        return Bot(words, f"Random bot in place of {title(words.removeprefix(STAND_IN))}")
    kind, colon, budget = words.partition(":")
    if kind == "random" and not colon:
        return Bot(words, "Random bot")
    if kind not in SEARCHES or (colon and not budget):
        if found := named(words):
            return found
        raise BadBot(f"There is no bot called {text}; choose {', '.join(kinds())}.")
    bot = _thinking(kind, words, budget if colon else f"level={DEFAULT_LEVEL}")
    if kind == "search":
        return bot
    rest = "bot" if words == MIXING else bot.title.lower()  # its strength depends more on the game than on the level
    return replace(bot, title=f"{PREFIXES[kind]} {rest}")


def _thinking(kind: str, words: str, budget: str) -> Bot:
    """Return a searching bot with a budget."""
    make = SEARCHES[kind]
    what, _, value = budget.partition("=")
    match what:
        case "level":
            return make(words, f"{_level(value)} bot", level=value)
        case "iterations":
            return make(words, f"Bot with {_iterations(value)} iterations", iterations=_iterations(value))
        case "seconds":
            return make(words, f"Bot with {_seconds(value):g} s per choice", seconds=_seconds(value))
    raise BadBot(f"{kind} has no setting {what}; its settings are level ({', '.join(LEVELS)}), iterations and seconds.")


def kinds() -> list[str]:
    """Return the forms of a bot specification."""
    return ["random", "search", "search:level=NAME", "search:iterations=NUMBER", "search:seconds=NUMBER", "plain",
            "mix", *installed(), "pipe:COMMAND"]  # fmt: skip


def offered_bots(game: Game) -> tuple[str, ...]:
    """Return the bots offered to players in a game, weakest first, then the mixed-strategy bot if the game has one."""
    return (*STRENGTHS, MIXING) if game.mixes else STRENGTHS


def stand_in(bot: str) -> Bot:
    """Return the random bot that replaces a failed bot."""
    return parse(STAND_IN + bot)


def is_random(bot: str) -> bool:
    """Return whether a bot specification means a random bot."""
    return bot == "random" or bot.startswith(STAND_IN)


def remembers(bot: str) -> bool:
    """Return whether a bot needs views with a memory; false for a bot that is not installed."""
    try:
        return parse(bot).remembers
    except BadBot:
        return False


def title(bot: str, box: Box | None = None, seats: int = 0) -> str:
    """Return a bot's title from its specification, at a table if `box` is given; also for a bot no longer installed."""
    try:
        found = parse(bot)
        return found.title_at(box, seats) if box else found.title
    except BadBot:
        return f"{bot.partition(':')[0].replace('-', ' ').capitalize()} bot"


def advise(look: Callable[..., View], bot: str, *, quick: bool = False) -> Hint:
    """Return a bot's hint for the view that `look` (`Match.view`) returns; the same view gives the same hint."""
    adviser = parse(bot)
    return adviser.advise(look(memory=adviser.remembers), quick=quick)


def free_name(taken: Collection[str]) -> str:
    """Return a name for the next bot at a table where these names are taken."""
    known = {name.casefold() for name in taken}
    return next((name for name in NAMES if name.casefold() not in known), f"Bot {len(taken) + 1}")


def _level(level: str) -> str:
    if level not in LEVELS:
        raise BadBot(f"There is no level {level or '(empty)'}; choose {', '.join(LEVELS)}.")
    return level.replace("-", " ").capitalize()


def _iterations(value: str) -> int:
    if not value.isdecimal() or not value.isascii() or not 1 <= int(value[:9]) <= MOST_ITERATIONS:
        raise BadBot(f"iterations must be a whole number from 1 to {MOST_ITERATIONS}, not {value or 'empty'}.")
    return int(value)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.01 <= seconds <= LONGEST:
        raise BadBot(f"seconds must be a number from 0.01 to {LONGEST:g}, not {value or 'empty'}.")
    return seconds
