"""Scenes of matches as Anna sees them, rendered without a server."""

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from markupsafe import Markup

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene import without_choices
from sparring.scene.html import Advice, Exchange, render
from sparring.scene.sentences import AnyText, is_result

#: Games with their fewest and most seats.
TABLES = [
    ("five-circles", 2), ("mace", 2), ("mace", 4), ("make-your-moves", 2), ("make-your-moves", 6),
    ("untitled-movement", 2), ("untitled-movement", 4), ("world-of-fighters", 2),
]  # fmt: skip
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Eve", "Finn")
LONG_NAMES = ("Anna", "Search bot (strong)", "Maximiliane", "Random bot", "Search bot 4", "Random bot 5")
TOOLS = Markup(
    '<button type="submit" class="take-back">Take back</button><button type="submit" data-post="hint">Get hint</button>'
)
HINT = Advice(
    Markup("Hint: <b>a move with quite a long name</b>."),
    Markup("It leaves you the card that defends best, and Maximiliane can't reach you in her next turn."),
    Markup("<details><summary>Details</summary><p>61%</p></details>"),
)
AT_THE_END = Markup(
    '<button type="submit" class="main">Play again</button><button type="submit">Review</button>'
    '<a href="#" class="button">Replay</a><a href="#" class="button">Download match</a>'
)
NO_TOOLS = Markup()
#: The number of choices per match, and the number of beats looked at.
LONGEST, LOOKED_AT = 150, 24


def drawn(scene: Any, **more: Any) -> str:
    """Return a scene as HTML."""
    return str(render(scene, **{"names": NAMES, **more}))


def at(position: dict[str, Any], seat: int = 1, **more: Any) -> str:
    """Return a position as a seat sees it."""
    return drawn(Match.from_position(position).view(seat).scene, **more)


def chosen(match: Match, dice: random.Random) -> None:
    """Make a random choice that doesn't concede."""
    match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))


def asked(name: str, seats: int) -> Match:
    """Return a match in which seat 1 is asked; with the tools there are at most four buttons."""
    match = Match.deal(game(name).setup(), seats, 1)
    while match.seat != 1 or not match.view(1).scene.hand or len(match.view(1).scene.prompt.buttons) > 2:
        match.choose(match.legal()[0])
    return match


def after_choices(name: str, choices: int) -> str:
    """Return the scene of two seats after this many random choices, on Anna's turn."""
    match, dice = Match.deal(game(name).setup(), 2, 1), random.Random(1)
    while choices > 0 or not match.view(1).legal:
        chosen(match, dice)
        choices -= 1
    return drawn(match.view(1).scene, glossary=match.game.glossary)


@cache
def beats(name: str, seats: int, seed: int = 1) -> list[str]:
    """Return a random match beat by beat; a selection, including the first and the last."""
    many = sum(1 for _ in played(name, seats, seed))
    step = max(1, many // LOOKED_AT)
    looks = enumerate(played(name, seats, seed), 1)
    return [look() for number, look in looks if number == many or (number - 1) % step == 0]


def played(name: str, seats: int, seed: int) -> Iterator[Callable[[], str]]:
    """Yield a function for each beat of that match that renders it; valid until the next one."""
    match, dice = Match.deal(game(name).setup(), seats, seed), random.Random(seed)
    decided: Exchange | None = None

    def look(view: Any, lines: tuple[AnyText, ...] = (), tools: Markup = NO_TOOLS) -> str:
        news, glossary = match.log(1)[-6:], match.game.glossary
        return drawn(view.scene, animated=lines, events=news, exchange=decided, glossary=glossary, tools=tools)

    yield partial(look, match.view(1))
    for _ in range(LONGEST):
        if match.over:
            break
        chosen(match, dice)
        for beat in match.beats(1):
            yield partial(look, beat.view, beat.lines)
            if beat.view.scene.exchange:
                lines = [*filter(is_result, beat.lines)]
                decided = Exchange(without_choices(beat.view.scene.exchange), lines, number=1)
    yield partial(look, match.view(1), (), AT_THE_END if match.over else NO_TOOLS)
