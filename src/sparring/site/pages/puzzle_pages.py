"""Puzzles in the browser: the list of games, the daily puzzle, and streaks until the first mistake.

The URL holds the answer and the place in a streak, so puzzles work without scripts. Accounts keep their longest streak
in the database, guests in their browser (`puzzle.js`); no one else sees it.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, URLEncodedBody
from litestar.response import Redirect, Template
from markupsafe import Markup

from sparring.bots.bot_specs import NAMES
from sparring.engine.game import Game, games
from sparring.engine.game import game as find_game
from sparring.engine.views import View
from sparring.puzzles import Puzzle, PuzzleCollection, collection_of
from sparring.puzzles.puzzle import MAX_SEED, judge, new_seed
from sparring.scene import without_shortcuts
from sparring.scene.html import render
from sparring.scene.markup import SeatNames
from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import AnyRequest, CurrentPerson, StreaksDep
from sparring.server.requests.pages import RendererDep
from sparring.store.person import Person
from sparring.tutorials.targets import targets_of_action

from .game_pictures import gallery_of
from .lesson_pages import highlighted
from .rules_pages import with_tooltips
from .table_pages import page

#: What the player of a puzzle without a name is called.
PLAYER = "Guest"


class PuzzleAnswer(msgspec.Struct):
    """A submitted answer: the number of a choice."""

    choice: int


@dataclass(frozen=True)
class PuzzlePlace:
    """The place of a puzzle: on its own, or number `at` (from 0) in the streak with the seed `run`.

    `answer` is what the person has chosen, -1 before. After that, other choices can be tried; `first` is the one that
    counts.
    """

    game: Game
    puzzle: Puzzle
    run: int
    at: int
    answer: int
    first: int

    @classmethod
    def read(cls, name: str, number: str, run: int, at: int, answer: int, first: int) -> "PuzzlePlace":
        """Return the place from the parts of a URL. A puzzle that isn't at `at` is shown on its own."""
        game = find_game(name)
        collection = _collection(game)
        puzzle = collection.by_id.get(number)
        if puzzle is None:
            raise PageNotFound("This puzzle doesn't exist. The link may be incomplete.")
        order = collection.shuffled(run) if 0 < run < MAX_SEED else []
        if not (0 <= at < len(order) and order[at].id == puzzle.id):
            run, at = 0, 0
        return cls(game, puzzle, run, at, answer, first if first >= 0 else answer)

    @property
    def address(self) -> str:
        """The address of the puzzle."""
        return f"/puzzles/{self.game.name}/{self.puzzle.id}"

    @property
    def streak(self) -> int:
        """The number of puzzles solved in this streak."""
        return self.at + (self.first == self.puzzle.best.action) if self.run else 0

    def query(self, **answers: int) -> str:
        """Return the query of the URL with these answers."""
        return urlencode({**({"run": self.run, "at": self.at} if self.run else {}), **answers})


def has_puzzles(game: Game) -> bool:
    """Return whether a game has puzzles."""
    return bool(collection_of(game))


def _collection(game: Game) -> PuzzleCollection:
    if not has_puzzles(game):
        raise PageNotFound(f"There are no puzzles for {game.title} yet.")
    return collection_of(game)


def _today() -> date:
    """Return today's date in UTC: everyone gets a new puzzle at the same moment."""
    return datetime.now(UTC).date()


@get("/puzzles")
async def puzzle_list(request: AnyRequest, person: CurrentPerson, streaks: StreaksDep) -> Template:
    """Show all games with puzzles."""
    offered = [(game, len(collection_of(game))) for game in games().values() if has_puzzles(game)]
    best = await streaks.of(person.id) if person.has_account else {}
    return page("puzzles.html", request, person, offered=offered, best=best)


@get("/puzzles/{name:str}/daily")
async def daily_puzzle(name: FromPath[str]) -> Redirect:
    """Redirect to the puzzle of the day."""
    game = find_game(name)
    return Redirect(f"/puzzles/{game.name}/{_collection(game).daily(_today()).id}", status_code=303)


@get("/puzzles/{name:str}/streak")
async def streak(name: FromPath[str], run: FromQuery[int] = 0, at: FromQuery[int] = 0) -> Redirect:
    """Redirect to a puzzle of a streak, or to the first one of a new streak."""
    game = find_game(name)
    seed = run if 0 < run < MAX_SEED else new_seed()
    order = _collection(game).shuffled(seed)
    number = at if run == seed and 0 <= at < len(order) else 0
    return Redirect(
        f"/puzzles/{game.name}/{order[number].id}?{urlencode({'run': seed, 'at': number})}", status_code=303
    )


@get("/puzzles/{name:str}/{number:str}")
async def puzzle_page(
    request: AnyRequest, person: CurrentPerson, streaks: StreaksDep, renderer: RendererDep, name: FromPath[str],
    number: FromPath[str], run: FromQuery[int] = 0, at: FromQuery[int] = 0, answer: FromQuery[int] = -1,
    first: FromQuery[int] = -1,
) -> Template:  # fmt: skip
    """Show a puzzle, or the verdict on an answer."""
    place = PuzzlePlace.read(name, number, run, at, answer, first)
    context = await renderer.part(
        lambda: _context(place, place.puzzle.view(place.game), person),
        "puzzle", name, number, place.run, place.at, answer, place.first, person.name, _today(),
    )  # fmt: skip
    best = (await streaks.of(person.id)).get(place.game.name, 0) if person.has_account and place.run else 0
    return page("puzzle.html", request, person, **context, best=best)


@post("/puzzles/{name:str}/{number:str}")
async def puzzle_answer(
    person: CurrentPerson, streaks: StreaksDep, name: FromPath[str], number: FromPath[str],
    data: URLEncodedBody[PuzzleAnswer],
    run: FromQuery[int] = 0, at: FromQuery[int] = 0, answer: FromQuery[int] = -1, first: FromQuery[int] = -1,
) -> Redirect:  # fmt: skip
    """Take an answer. In a streak the first answer to each puzzle counts."""
    place = PuzzlePlace.read(name, number, run, at, answer, first)
    chosen = {"answer": data.choice}
    if place.first >= 0:
        chosen["first"] = place.first
    elif place.run and person.has_account and data.choice == place.puzzle.best.action:
        await streaks.record(person.id, place.game.name, place.at + 1)
    return Redirect(f"{place.address}?{place.query(**chosen)}", status_code=303)


def _context(place: PuzzlePlace, view: View, person: Person) -> dict[str, Any]:
    """Return the context of the puzzle template."""
    game, puzzle, collection = place.game, place.puzzle, collection_of(place.game)
    names = SeatNames(_names(view, person))
    answered = place.answer in view.legal
    verdict = judge(puzzle, view, place.answer) if answered else None
    tries = {"first": place.first, "answer": place.answer} if answered else {}
    action = f"{place.address}?{place.query(**tries)}"
    next_at, today = place.at + 1, _today()
    return {
        "game": game, "puzzle": puzzle, "place": place, "verdict": verdict,
        "right": place.first == puzzle.best.action,
        "explained": [names.marked(line) for line in verdict.paragraphs] if verdict else [],
        "daily": f"{today.day} {today:%B %Y}" if puzzle.id == collection.daily(today).id else "",
        "scene": with_tooltips(_table(game, puzzle, view, action, names, revealed=answered), game.glossary),
        "total": len(collection),
        "next": f"/puzzles/{game.name}/streak?{urlencode({'run': place.run, 'at': next_at})}"
        if place.run and next_at < len(collection) else "",
    }  # fmt: skip


def _table(game: Game, puzzle: Puzzle, view: View, action: str, names: SeatNames, *, revealed: bool) -> Markup:
    """Return the play area; with `revealed`, the best action is highlighted."""
    scene = render(without_shortcuts(view.scene), action_url=action, names=names, glossary=game.glossary)
    scene = gallery_of(game).with_addresses(scene, f"/games/{game.name}/pictures")
    return highlighted(scene, targets_of_action(view.scene, puzzle.best.action)) if revealed else scene


def _names(view: View, person: Person) -> list[str]:
    """Return the players' names by seat: the person's own, and names of bots."""
    others = iter(name for name in NAMES if name != person.name)
    return [
        person.name or PLAYER if seat == view.seat else next(others) for seat in range(1, int(view.state.seats) + 1)
    ]
