"""Make a Python package from a set of Card Duel: the template's rules with the set's cards and options."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from sparring.engine.game import CONTENT, Game
from sparring.engine.options import Value
from sparring.engine.set_file import with_name, without_options
from sparring.puzzles.collection import FILE as PUZZLES
from sparring.tutorials.lesson import FILE as LESSON

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
    chosen = template.box(options).options
    changed = {name: value for name, value in chosen.items() if value != template.box().options[name]}
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
        text = text.replace("import Box, Credit, Game", "import Box, Credit, Game, Preset")
    return text.replace("    template=True,\n", preset)
