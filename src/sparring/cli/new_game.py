"""Commands for authors of games: create a game from a template or a set, and check it against the engine's laws."""

import json
import keyword
import re
import unicodedata
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from sparring.engine.errors import BadOption
from sparring.engine.formats import normalize
from sparring.engine.game import CONTENT, Game
from sparring.engine.options import Value, with_name, without_options
from sparring.puzzles.puzzle import FILE as PUZZLES
from sparring.tutorials.lesson import FILE as LESSON

from .common import Content, all_games, err, find, out

FILE = "tests/test_{package}.py"

#: The text of the file.
TESTS = '''"""Tests of {title}: the engine's laws, its documents and a first case. Run them with `pytest`."""

from {package} import GAME
from sparring import Match
from sparring.cli.document_checks import document_faults
from sparring.engine.laws import check_game


def test_the_laws() -> None:
    """One match with every number of seats and every pair of option values; `sparring check` plays many more."""
    check_game(GAME, matches=1, compiled=False)


def test_the_documents_agree_with_the_code() -> None:
    assert list(document_faults(GAME)) == []


def test_{case} -> None:
    """A first case: set up a position, take an action, and say what the table looks like. Add one for each ruling."""
    match = Match.from_position({position}, game=GAME)
{steps}'''

Case = tuple[str, dict[str, Any], tuple[str, ...]]


class Template(NamedTuple):
    """A game that new games are copies of: its package, and the first case of a copy's tests."""

    package: str
    case: Case


#: The templates by their names in `--template`.
TEMPLATES = {
    "cards": Template("sparring.games.high_card", (
        "the_highest_card_takes_the_trick()", {"hands": [[16], [8]], "deck": []},
        ('match.play("lay 9")', 'match.play("lay 5")', 'assert match.position()["tricks"] == [1, 0]'),
    )),
    "board": Template("sparring.games.tic_tac_toe", (
        "a_player_takes_an_empty_square()", {"board": [1, 2, 0, 0, 0, 0, 0, 0, 0]},
        ('match.play("b2")', 'assert match.position()["board"] == [1, 2, 0, 0, 1, 0, 0, 0, 0]'),
    )),
}  # fmt: skip


def test_files(title: str, name: str, package: str, case: Case) -> dict[str, str]:
    """Return the test file of a package by its path; the case is a name, a position and statements."""
    case_name, position, steps = case
    lines = ", ".join(f'"{key}": {_literal(value)}' for key, value in {"game": name, **position}.items())
    text = TESTS.format(
        title=title, package=package, case=case_name, position=f"{{{lines}}}",
        steps="".join(f"    {step}\n" for step in steps),
    )  # fmt: skip
    return {FILE.format(package=package): text}


def set_case(content: Any) -> Case:
    """Return a first case with a card of a Card Duel set: a character takes a slot, or else the turn passes."""
    plain = [
        card for card in content.cards
        if card.kind == "character" and card.copies_of(0) and "Fast" not in card.traits
        and all(effect.when != "played" for effect in card.effects)
    ]  # fmt: skip
    if not plain:
        return "the_turn_passes()", {"turn": 5, "hands": [[], []]}, ('match.play("done")', "assert match.seat == 2")
    card = min(plain, key=lambda card: card.cost)
    return (
        "a_character_takes_a_slot()", {"turn": 5, "energy": [card.cost, 0], "hands": [[card.name], []]},
        (
            f"match.play({_literal(card.name)})",
            f'assert match.position()["rows"][0] == [{_literal(f"1 {card.name} (arrived)")}]',
            'assert match.position()["energy"] == [0, 0]',
        ),
    )  # fmt: skip


def _literal(value: Any) -> str:
    """Return a value as Python source with double quotes."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


#: The name of the variant with the set's options.
DESIGNED = "as designed"
#: Parts of the template that are about the template, or about cards that the set need not have.
_PYTHON_EXAMPLE = re.compile(r"```python\n.*?```\n\n", re.DOTALL)
_ABOUT_TEMPLATE = re.compile(r"{% if template %}\n.*?{% endif %}\n", re.DOTALL)


def set_files(template: Game, set_file: Path) -> dict[str, str]:
    """Return the files of a game's package with the template's rules and the cards and options of a set.

    The tutorial, the puzzles and the example position are left out, because they name cards of the template. The rules
    are filled from the set (`sparring.engine.texts`).

    :raises BadContent: The set's file is not valid.
    """
    template.read_content(set_file)
    options = template.file_options(set_file) or {}
    chosen = template.setup(options).options
    changed = {name: value for name, value in chosen.items() if value != template.setup().options[name]}
    files = folder_files(template.folder)
    del files[LESSON]
    files.pop(PUZZLES, None)
    files[CONTENT] = with_name(without_options(set_file.read_text(encoding="utf-8")), "")
    files["rules.md"] = _ABOUT_TEMPLATE.sub("", files["rules.md"])
    files["positions.md"] = _PYTHON_EXAMPLE.sub("", files["positions.md"])
    files["__init__.py"] = _registration(files["__init__.py"], template, chosen, changed)
    return files


def folder_files(folder: Path, under: str = "") -> dict[str, str]:
    """Return the text of every file in a folder by its path; caches are left out."""
    found: dict[str, str] = {}
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_file():
            found[under + each.name] = each.read_text(encoding="utf-8")
        elif each.name != "__pycache__":
            found |= folder_files(each, f"{under}{each.name}/")
    return found


def _registration(text: str, template: Game, chosen: Mapping[str, Value], changed: Mapping[str, Value]) -> str:
    """Return `__init__.py` for a game of its own, with the set's options as its recommended variant."""
    goal = "take all of your opponent's life" if chosen["win"] == "life" else f"score {chosen['points']} points"
    text = text.replace(template.summary, f"Play characters and events, and {goal}.")
    text = text.replace(
        text.partition("\n")[0], '"""Card Duel: rules from Sparring for card duels, with cards of its own."""'
    )
    preset = ""
    if changed:
        preset = (
            f'    presets={{{json.dumps(DESIGNED)}: Preset({json.dumps(dict(changed))}, "The numbers of the set.")}},\n'
            f"    recommended={json.dumps(DESIGNED)},\n"
        )
        text = text.replace("import Credit, Game, GameSetup", "import Credit, Game, GameSetup, Preset")
    return text.replace("    template=True,\n", preset)


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
    template: Annotated[
        Literal["cards", "board"],
        typer.Option(help="The game to start from: cards that are played in secret, or an open board."),
    ] = "cards",
    from_set: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Instead, start from a set of Card Duel: its cards and options, with its rules."
        ),
    ] = None,
) -> None:
    """Create a new game: a small, complete package in a new folder, ready to edit."""
    if from_set and template != "cards":
        raise BadOption("Use --template or --from-set, not both.")
    names = derive_names(title)
    folder = Path(names.name)
    if folder.exists():
        raise BadOption(f"The folder {folder} already exists; choose another title or run this in another folder.")
    create_package(names, folder, from_set, TEMPLATES[template])
    rules = "an example game" if from_set is None else "Card Duel and the cards of the set"
    out.print(
        f"Created {names.title} in the folder {folder}, with the rules of {rules}. Next:\n"
        f"  pip install -e '{folder}[test]'\n  sparring play {names.name}\n"
        f"  sparring play {names.name} --terminal --seats me,random\n  sparring check {names.name}\n"
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
    from sparring.engine.laws import LawViolation, check_game
    from sparring.research.laws import check_batches

    from .document_checks import document_faults, unused_words

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
    for word in sorted(unused_words(found)) if not faults else ():
        out.print(f"glossary.toml: {word} was nowhere on the table in a few random matches.", markup=False)
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


def create_package(
    names: GameNames, folder: Path, from_set: Path | None = None, copied: Template = TEMPLATES["cards"]
) -> None:
    """Write the package: a template under these names, its tests and its project file.

    The template is the game `copied`, or with `from_set` Card Duel with the cards and options in this file.
    """
    template = import_module(copied.package).GAME if from_set is None else find(CARD_DUEL)
    written = folder_files(template.folder) if from_set is None else set_files(template, from_set)
    for path, text in written.items():
        file = folder / names.package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        own = from_set is not None and path == CONTENT  # the designer's own words
        file.write_text(text if own else rename_template(text, template, names), encoding="utf-8")
    case = copied.case if from_set is None else set_case(template.read_content(from_set))
    for path, text in test_files(*names, case).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT.format(**names._asdict()), encoding="utf-8")


def rename_template(text: str, template: Game, names: GameNames) -> str:
    """Return a file of a template with the new names; the user fills in summary, author, source and licence."""
    changes = {
        template.summary: "A new game.", template.title: names.title, template.name: names.name,
        template.name.replace("-", "_"): names.package,
        f'"{template.credit.author}"': '"its author"', f'"{template.credit.source}"': '"no source stated"',
        f'"{template.credit.licence}"': '"no licence stated"',
    }  # fmt: skip
    for old, new in changes.items():
        text = text.replace(old, new)
    return text
