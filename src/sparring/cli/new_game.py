"""Making a game of one's own: a first one to change, and what holds it to the laws."""

import keyword
import re
import unicodedata
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from sparring.engine.errors import BadOption
from sparring.engine.formats.spelling import plain

from .common import Content, all_games, aside, find, out

#: What a title may be made of, so that it can stand in every file of a game.
_TITLE = re.compile(r"[^\W_][\w '’&!,.-]{0,59}")

#: An installed package adds a game by this one entry point; nothing of Sparring itself is touched.
PROJECT = """\
[project]
name = "{name}"
version = "1"
description = "{title}, a game for Sparring"
dependencies = ["sparring"]

[project.entry-points."sparring.games"]
{name} = "{package}:GAME"

[build-system]
requires = ["flit_core>=3.12,<5"]
build-backend = "flit_core.buildapi"
"""


class GameNames(NamedTuple):
    """What a game is called: by people, in commands and addresses, and in Python."""

    title: str
    name: str
    package: str


def new(title: Annotated[str, typer.Argument(metavar="NAME", help='What the game is called: "Liar\'s Dice".')]) -> None:
    """Begin a game of your own: a package in a folder of its name, complete and small, to change."""
    names = named(title)
    folder = Path(names.name)
    if folder.exists():
        raise BadOption(f"There is a folder {folder} here already; go elsewhere, or call the game something else.")
    begin(names, folder)
    out.print(
        f"{names.title} is a game now, in the folder {folder}. Its rules are still those of a first example.\n"
        f"  pip install -e {folder}\n  sparring play {names.name}\n  sparring check {names.name}",
        markup=False,
    )  # fmt: skip


def check(
    game: Annotated[str, typer.Argument(help="The name of a game.")],
    content: Content = None,
    matches: Annotated[int, typer.Option(min=0, help="Random matches in machine code, for each setting.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the first match.")] = 1,
) -> int:
    """Hold a game to the laws: in every number of seats, with every pair of option values."""
    from sparring.engine.laws import LawViolation, check_game

    found = find(game)
    chosen = found.read_content(content) if content else None
    try:
        with aside.status(f"{found.title} is played in every setting ..."):
            played = check_game(found, matches=matches, seed=seed, content=chosen)
    except LawViolation as broken:
        aside.print(str(broken), markup=False)
        return 1
    settings = "the one setting" if played == 1 else f"all {played} settings"
    out.print(f"{found.title} keeps the laws, in {settings} of seats and options.", markup=False)
    return 0


def named(title: str) -> GameNames:
    """A title, as somebody wrote it, and what follows from it; `my-game` and `my_game` are called My Game."""
    title = " ".join(title.split())
    if title == title.casefold():
        title = " ".join(word[:1].upper() + word[1:] for word in re.split(r"[\s_-]+", title))
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    name = "-".join(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", letters)))
    package = name.replace("-", "_")
    if not _TITLE.fullmatch(title) or not package.isidentifier():
        raise BadOption(
            f"A game cannot be called “{title}”: a name has letters, digits and spaces, and begins with a letter."
        )
    if keyword.iskeyword(package) or find_spec(package):
        raise BadOption(f"A game cannot be called “{title}”: Python knows something called {package} already.")
    if name in all_games() or plain(title) in [plain(game.title) for game in all_games().values()]:
        raise BadOption(f"There is a game called {title} already.")
    return GameNames(title, name, package)


def begin(names: GameNames, folder: Path) -> None:
    """Write the package: the first game under these names, and what installs it."""
    first = files("sparring.games") / "high_card"
    package = folder / names.package
    package.mkdir(parents=True)
    for file in first.iterdir():
        if file.is_file():
            (package / file.name).write_text(renamed(file.read_text(encoding="utf-8"), names), encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT.format(**names._asdict()), encoding="utf-8")


def renamed(text: str, names: GameNames) -> str:
    """A file of the first game as one of the new game; whose it is, and by which licence, is still to be said."""
    changes = {
        "High Card": names.title, "high-card": names.name, "high_card": names.package,
        "the Sparring authors": "its author", "an example of the Sparring project": "begun with sparring new",
        '"MIT"': '"none named"',
    }  # fmt: skip
    for old, new in changes.items():
        text = text.replace(old, new)
    return text
