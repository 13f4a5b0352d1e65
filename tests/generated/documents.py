"""Write what the code knows into documents: text between a mark such as `<!-- generated: facts mace -->` and its end.

In TOML the marks are comments, `# generated: ability-entries five-circles` and `# end`. `make generated` writes all
blocks, and a test says where one is out of date.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from research.games_under_test import ALL
from sparring import Game
from sparring.cli.training import environment_summary, observation_table
from sparring.engine.game import STANDARD
from sparring.engine.options import ChoiceOption, Option
from sparring.games.five_circles.abilities import ability_glossary, ability_table

ROOT = Path(__file__).parents[2]
GAMES = {game.name: game for game in ALL}

#: The games whose rulings the README counts.
FROM_DOCUMENTS = ("make-your-moves", "world-of-fighters", "untitled-movement", "mace", "five-circles")

#: A block: its first mark with the kind and the game, its text, and its last mark.
BLOCK = re.compile(
    r"(?P<first>(?:<!--|#) generated: (?P<kind>[a-z-]+[a-z])(?: (?P<game>[a-z][a-z-]*))?(?: -->)?)"
    r"(?P<text>.*?)"
    r"(?P<last><!-- end -->|# end$)",
    re.DOTALL | re.MULTILINE,
)

#: The number in a row of the table of rulings in `rules.md`.
RULING = re.compile(r"^\| *(R\d+) *\|", re.MULTILINE)


def documents() -> list[Path]:
    """Return the files that can have generated blocks."""
    return [
        ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "games").glob("*.md")),
        *sorted((ROOT / "src" / "sparring" / "games").glob("*/glossary.toml")),
    ]  # fmt: skip


def updated(text: str) -> str:
    """Return a document with all its blocks as the code has them."""

    def block(found: re.Match[str]) -> str:
        game = GAMES[found["game"]] if found["game"] else None
        made = KINDS[found["kind"]](game) if game else TOTALS[found["kind"]]()
        inside = f"\n\n{made.strip()}\n\n" if game else made
        return f"{found['first']}{inside}{found['last']}"

    return BLOCK.sub(block, text)


def write() -> Iterator[Path]:
    """Bring all documents up to date; yield those that change."""
    for path in documents():
        before = path.read_text(encoding="utf-8")
        after = updated(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            yield path


# What blocks say


def facts(game: Game) -> str:
    """Return the facts of a game as a table."""
    rules, longest = game.rules, ", ".join(str(game.max_choices(game.setup(), seats)) for seats in game.seats)
    blocks = ", ".join(f"`{name}` {size}" for name, size in rules.ACTIONS.blocks.items())
    conceding = ", ".join(f"`{rules.ACTIONS.name_of(action)[0]}`" for action in game.conceding)
    found, optional = rulings(game)
    rows = {
        "Name, version": f"`{game.name}`, {game.version}",
        "Seats": ", ".join(map(str, game.seats)),
        "Hidden information": "yes" if game.hidden else "no",
        "Actions": f"{len(rules.ACTIONS)}: {blocks}",
        "Phases": ", ".join(f"`{phase}`" for phase in rules.PHASES),
        "Endings": ", ".join(f"`{ending}`" for ending in rules.ENDINGS),
        "Longest match": f"{longest} choices with the default options",
        "Conceding": conceding or "none",
        "Presets": presets(game) or "none",
        "Rulings": f"{found}, of which {optional} are options",
        "State": f"{rules.State.dtype.itemsize} bytes",
        "Params record": f"{game.params.Params.dtype.itemsize} bytes",
        "Features for machine learning": f"{rules.FEATURES} numbers from -1 to 1",
    }
    return "\n".join(["| Fact | Value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def presets(game: Game) -> str:
    """Return the presets of a game with the options that they set."""
    return "; ".join(
        f"`{name}`{' (for a first match)' if name == game.recommended else ''}: "
        + ", ".join(f"`{option}={value}`" for option, value in preset.options.items())
        for name, preset in game.variants.items() if name != STANDARD
    )  # fmt: skip


def options(game: Game) -> str:
    """Return the options of a game as a table."""
    rows = (
        f"| `{each.name}` | {each.help} | {values(each)} | {_code(each, each.default)} | {each.ruling} |"
        for each in game.options()
    )
    return "\n".join(["| Option | What it sets | Values | Default | Rulings |", "|---|---|---|---|---|", *rows])


def values(option: Option) -> str:
    """Return what an option can be."""
    if isinstance(option, ChoiceOption):
        return ", ".join(f"`{value}`" for value in option.values)
    return f"{option.low} to {option.high}"


def _code(option: Option, value: object) -> str:
    return f"`{value}`" if isinstance(option, ChoiceOption) else str(value)


def environment(game: Game) -> str:
    """Return a game's actions and observations, as `sparring observe` prints them."""
    return f"{environment_summary(game)}\n\n{observation_table(game.setup())}"


def rulings(game: Game) -> tuple[int, int]:
    """Return how many rulings a game has, and how many of them are options."""
    file = game.folder / "rules.md"
    found = RULING.findall(file.read_text(encoding="utf-8")) if file.exists() else []
    return len(found), len({number for each in game.options() for number in re.findall(r"R\d+", each.ruling)})


def ruling_count() -> str:
    """Return how many of the rulings of the games that follow documents are options."""
    found, optional = map(sum, zip(*(rulings(GAMES[name]) for name in FROM_DOCUMENTS), strict=True))
    return f"{optional} of these {found} rulings"


KINDS: dict[str, Callable[[Game], str]] = {
    "facts": facts, "options": options, "environment": environment,
    "abilities": lambda game: ability_table(game.setup()), "ability-entries": lambda _game: ability_glossary(),
}  # fmt: skip
TOTALS: dict[str, Callable[[], str]] = {"ruling-count": ruling_count}
