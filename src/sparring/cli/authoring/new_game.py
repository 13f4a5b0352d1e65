"""Commands for authors of games: create a game from a template and check it against the engine's laws."""

import keyword
import re
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from sparring.cli.common import Content, all_games, err, find, out
from sparring.engine.errors import BadOption
from sparring.engine.formats.spelling import normalize
from sparring.engine.game import CONTENT, Game

from .package_tests import HIGH_CARD_CASE, set_case, test_files
from .set_package import folder_files, set_files

#: The template of `--from-set`.
CARD_DUEL = "card-duel"
#: Characters allowed in a title, so that it can be inserted into every file of a game.
_TITLE = re.compile(r"[^\W_][\w '’&!,.-]{0,59}")

#: Project file of a new game. Its entry point registers the game when the package is installed.
PROJECT = """\
[project]
name = "{name}"
version = "1"
description = "{title}, a game for Sparring"
dependencies = ["sparring"]

[project.optional-dependencies]
test = ["pytest"]

[project.entry-points."sparring.games"]
{name} = "{package}:GAME"

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]

[build-system]
requires = ["flit_core>=3.12,<5"]
build-backend = "flit_core.buildapi"
"""


class GameNames(NamedTuple):
    """A game's title, its name in commands and URLs, and the name of its Python package."""

    title: str
    name: str
    package: str


def new(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The game's title, such as \"Liar's Dice\".")],
    from_set: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Start from a set of Card Duel: its cards and options, with the template's rules."
        ),
    ] = None,
) -> None:
    """Create a new game: a small, complete package in a new folder, ready to edit."""
    names = derive_names(title)
    folder = Path(names.name)
    if folder.exists():
        raise BadOption(f"The folder {folder} already exists; choose another title or run this in another folder.")
    create_package(names, folder, from_set)
    rules = "an example game" if from_set is None else "Card Duel and the cards of the set"
    out.print(
        f"Created {names.title} in the folder {folder}, with the rules of {rules}. Next:\n"
        f"  pip install -e '{folder}[test]'\n  sparring play {names.name}\n  sparring check {names.name}\n"
        f"  pytest {folder}",
        markup=False,
    )  # fmt: skip


def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    content: Content = None,
    matches: Annotated[
        int, typer.Option(min=0, help="Play this many compiled random matches with each combination.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first match.")] = 1,
) -> int:
    """Check that a game obeys the engine's laws, for each number of seats and each pair of option values.

    Also checks its documents: the examples and rulings in `rules.md`, the tutorial and the glossary.
    """
    from sparring.cli.document_checks import document_faults
    from sparring.engine.laws import LawViolation, check_game
    from sparring.research.laws import check_batches

    found = find(game)
    chosen = found.read_content(content) if content else None
    faults = list(document_faults(found))
    for fault in faults:
        err.print(fault, markup=False)
    try:
        with err.status(f"Checking {found.title} ..."):
            played = check_game(found, matches=matches, seed=seed, content=chosen)
            check_batches(found, seed=seed, content=chosen)
    except LawViolation as broken:
        err.print(str(broken), markup=False)
        return 1
    tested = "the only combination" if played == 1 else f"all {played} combinations"
    out.print(f"{found.title} obeys the engine's laws with {tested} of seats and options.", markup=False)
    if not faults:
        out.print("Its rules.md, tutorial and glossary agree with the code.", markup=False)
    return 1 if faults else 0


def derive_names(title: str) -> GameNames:
    """Derive a game's names from a title; `my-game` and `my_game` become My Game.

    Raises:
        BadOption: The title is malformed, or its name is taken by Python or another game.
    """
    title = " ".join(title.split())
    if title == title.casefold():
        title = " ".join(word[:1].upper() + word[1:] for word in re.split(r"[\s_-]+", title))
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    name = "-".join(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", letters)))
    package = name.replace("-", "_")
    if not _TITLE.fullmatch(title) or not package.isidentifier():
        raise BadOption(
            f"A title must start with a letter and have only letters, digits, spaces and '’&!,.-, not “{title}”."
        )
    if keyword.iskeyword(package) or find_spec(package):
        raise BadOption(f"“{title}” can't be a title: Python already uses the name {package}.")
    if name in all_games() or normalize(title) in [normalize(game.title) for game in all_games().values()]:
        raise BadOption(f"There is already a game called {title}.")
    return GameNames(title, name, package)


def create_package(names: GameNames, folder: Path, from_set: Path | None = None) -> None:
    """Write the package: a template under these names, its tests and its project file.

    The template is the example game, or with `from_set` Card Duel with the cards and options in this file.
    """
    from sparring.games.high_card import GAME as HIGH_CARD

    template = HIGH_CARD if from_set is None else find(CARD_DUEL)
    written = folder_files(template.folder) if from_set is None else set_files(template, from_set)
    for path, text in written.items():
        file = folder / names.package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        own = from_set is not None and path == CONTENT  # the designer's own words
        file.write_text(text if own else rename_template(text, template, names), encoding="utf-8")
    case = HIGH_CARD_CASE if from_set is None else set_case(template.read_content(from_set))
    for path, text in test_files(*names, case).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT.format(**names._asdict()), encoding="utf-8")


def rename_template(text: str, template: Game, names: GameNames) -> str:
    """Return a file of a template with the new names; the user fills in author and licence."""
    changes = {
        template.title: names.title, template.name: names.name, template.name.replace("-", "_"): names.package,
        "the Sparring authors": "its author", template.credit.source: "the `sparring new` template",
        '"MIT"': '"no licence stated"',
    }  # fmt: skip
    for old, new in changes.items():
        text = text.replace(old, new)
    return text
