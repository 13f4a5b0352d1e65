"""Bots as people write them: `random`, `search`, `search:level=strong`, `search:iterations=500`, `search:seconds=1`.

`plain` is written as `search` is: the same search, which judges nothing and plays imagined matches on to their end.
`mix` is written so too: a bot that mixes its answers (`mixing`).
Besides there are those that packages add, by their names, and `pipe:COMMAND` (`guests`).
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

#: What `search` alone means.
USUAL = "strong"

#: The bots that a person may want to pick from, the weakest first.
STRENGTHS = ("random", *(f"search:level={level}" for level in LEVELS))

#: The bot that is offered besides where seats choose in secret, in games that say so (`Game.mixes`).
MIXING = "mix"

#: The bots that think, and what goes before the names of those that do not do it in the usual way.
THINKERS: dict[str, Callable[..., Bot]] = {"search": partial(Bot, judges=True), "plain": Bot, "mix": MixedStrategyBot}
PREFIXES = {"plain": "Plain", "mix": "Mixing"}

#: What bots are called at a table, one after the other.
NAMES = ("Bolt", "Cog", "Gizmo", "Pixel", "Rivet", "Widget", "Fuse", "Spring")

MOST_ITERATIONS = 1_000_000
LONGEST = 60.0


#: Goes before the words of a bot for whom chance chooses, because it lost its clock.
STAND_IN = "stand-in:"


def parse(text: str) -> Bot:
    """The bot that the words name; BadBot says in one sentence what is possible."""
    words = text.strip()
    if words.lower().startswith(PIPE):
        return piped(PIPE + words[len(PIPE) :])  # as it was written: commands tell letters apart
    words = words.lower()
    if words.startswith(STAND_IN):
        return Bot(words, f"Random bot in place of {title(words.removeprefix(STAND_IN))}")
    kind, colon, budget = words.partition(":")
    if kind == "random" and not colon:
        return Bot(words, "Random bot")
    if kind not in THINKERS or (colon and not budget):
        if found := named(words):
            return found
        raise BadBot(f"There is no bot called {text}; there is {', '.join(kinds())}.")
    bot = _thinking(kind, words, budget if colon else f"level={USUAL}")
    if kind == "search":
        return bot
    rest = "bot" if words == MIXING else bot.title.lower()  # how strong it is hangs on the game more than on the level
    return replace(bot, title=f"{PREFIXES[kind]} {rest}")


def _thinking(kind: str, words: str, budget: str) -> Bot:
    """A bot that may spend so much."""
    make = THINKERS[kind]
    what, _, value = budget.partition("=")
    match what:
        case "level":
            return make(words, f"{_level(value)} bot", level=value)
        case "iterations":
            return make(words, f"Bot of {_iterations(value)}", iterations=_iterations(value))
        case "seconds":
            return make(words, f"Bot of {_seconds(value):g} s", seconds=_seconds(value))
    raise BadBot(f"A {kind} has no {what}; it has a level ({', '.join(LEVELS)}), or iterations, or seconds.")


def kinds() -> list[str]:
    """What can be written for a bot."""
    return ["random", "search", "search:level=NAME", "search:iterations=NUMBER", "search:seconds=NUMBER", "plain",
            "mix", *installed(), "pipe:COMMAND"]  # fmt: skip


def strengths(game: Game) -> tuple[str, ...]:
    """The bots that a person may want to pick from in a game, the weakest first; then the one that mixes."""
    return (*STRENGTHS, MIXING) if game.mixes else STRENGTHS


def stand_in(bot: str) -> Bot:
    """Who chooses for a bot that lost its clock."""
    return parse(STAND_IN + bot)


def draws(bot: str) -> bool:
    """Whether a bot, by its words, has chance choose, and thinks of nothing."""
    return bot == "random" or bot.startswith(STAND_IN)


def remembers(bot: str) -> bool:
    """Whether a bot, by its words, thinks of what its seat saw before; one that cannot be had here does not."""
    try:
        return parse(bot).remembers
    except BadBot:
        return False


def title(bot: str, box: Box | None = None, seats: int = 0) -> str:
    """What a bot is called by its words, at a table if one is given; also one that is not installed here any more."""
    try:
        found = parse(bot)
        return found.called_at(box, seats) if box else found.title
    except BadBot:
        return f"{bot.partition(':')[0].replace('-', ' ').capitalize()} bot"


def advise(look: Callable[..., View], bot: str, *, quick: bool = False) -> Hint:
    """The hint of a bot for what a seat sees when it looks (`Match.view`); the same view gives the same hint."""
    adviser = parse(bot)
    return adviser.advise(look(memory=adviser.remembers), quick=quick)


def free_name(taken: Collection[str]) -> str:
    """A name for the next bot at a table where these names are taken."""
    known = {name.casefold() for name in taken}
    return next((name for name in NAMES if name.casefold() not in known), f"Bot {len(taken) + 1}")


def _level(level: str) -> str:
    if level not in LEVELS:
        raise BadBot(f"There is no level {level or 'without a name'}; the levels of search are {', '.join(LEVELS)}.")
    return level.replace("-", " ").capitalize()


def _iterations(value: str) -> int:
    if not value.isdecimal() or not value.isascii() or not 1 <= int(value[:9]) <= MOST_ITERATIONS:
        raise BadBot(f"iterations cannot be {value or 'nothing'}; it is a whole number from 1 to {MOST_ITERATIONS}.")
    return int(value)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.01 <= seconds <= LONGEST:
        raise BadBot(f"seconds cannot be {value or 'nothing'}; it is a number from 0.01 to {LONGEST:g}.")
    return seconds
