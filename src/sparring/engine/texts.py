"""Fill the texts of a game for the options and the content in force; examples in `rules.md` are drawn as positions.

`rules.md` and `learn.toml` are Jinja templates. They can use every option by its name, the values that `text_values` in
the game's `params.py` returns, and:

    {{ said("life", "life") }}     an option's value with its unit: `14 life (2 in the document)`, `5 cards`, `1 card`
    {{ instead("refill") }}        the document's value where it differs: ` (in the document: draws 3 instead of 1)`
    {{ declared("life") }}         the values and the default of an option, for tables: `1 to 50, default 2`
    {{ defaults.life }}            the default of an option
    {{ by_the_letter }}            the preset that takes the document at its word, with what it changes
    {{ title }}                    the title of the game or of its content
    {% if template %}              whether the content is that of a template for designers' own games

The document is named only by games that follow one (`Game.document_word`).

An example is a fenced block in `rules.md`:

    ```example
    caption = "Seat 1 strikes with a 9."
    play = "strike 9S; target 2"
    show = "middle, hand"
    [position]
    fighters = ["0,0", "1,0"]
    ```

`play` lists choices made from the position. `seat` selects the view: 0 is a spectator; the default is the seat that
must act. `show` lists the parts of the scene to draw. The position has the fields in `positions.md`, without the game;
its options override those in force.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .errors import SparringError
from .game import GameSetup
from .match import Match
from .messages import Text, cached_by_language, say
from .options import NumberOption, Option, Value

if TYPE_CHECKING:
    from jinja2 import Template


RULES = "rules.md"
RULING = re.compile(r"R\d+")
#: The row of a ruling in the rules: its number and its text.
_ROW = re.compile(r"^(\| *(R\d+) *\| *)(.*?)(?= *\|)", re.MULTILINE)
#: Characters with a meaning in Markdown.
_SIGNS = re.compile(r"([\\`*_\[\]<>|])")


@cached_by_language(64)
def rules_text(setup: "GameSetup") -> str | None:
    """Return `rules.md` with the options in force beside the rulings that they change; None without that file."""
    file = setup.game.folder / RULES
    if not file.exists():
        return None
    text = filled(file.read_text(encoding="utf-8"), setup, RULES)
    return _ROW.sub(lambda row: row[0] + changes_of(setup, row[2]), text)


def changes_of(setup: "GameSetup", rulings: str) -> str:
    """Return the options in force that change one of these rulings, in Markdown, with a space before each."""
    numbers = set(RULING.findall(rulings))
    return "".join(
        f" **In this game: {option.heading}: {option.in_words(setup.options[option.name])}.**"
        for option in _changed(setup) if numbers & set(RULING.findall(option.ruling))
    )  # fmt: skip


def filled(text: str, setup: "GameSetup", name: str) -> str:
    """Fill a text of a game. Raises SparringError, which names the file as `name`."""
    from jinja2 import TemplateError

    own: Callable[[GameSetup], Mapping[str, Any]] = getattr(setup.game.params, "text_values", lambda _: {})
    try:
        return _template(text).render(**_values(setup), **own(setup))
    except (TemplateError, KeyError, TypeError) as problem:
        line = f", line {problem.lineno}" if hasattr(problem, "lineno") else ""
        reason = f"there is no option {problem}" if isinstance(problem, KeyError) else problem
        raise SparringError(f"{name}{line}: {reason}.") from None


def departures(setup: "GameSetup") -> str:
    """Return in words where a match differs from the document that its game follows; empty if nowhere.

    For example `life 14 (2 in the document); first combat in turn 2 (in turn 1 in the document)`.
    """
    return "; ".join(
        say(
            "{option:inside} {value} ({other} {source})",
            option=Text(option.heading), value=say(option.in_words(setup.options[option.name])),
            other=say(_document_words(setup, option)), source=say(_source_of(setup, option)),
        )
        for option in (_changed(setup) if setup.game.document_word else ())
        if setup.options[option.name] != _document_value(setup, option)
    )  # fmt: skip


def summary(setup: "GameSetup") -> str:
    """Return one sentence about the game; for content of a template the first paragraph of the rules."""
    paragraphs = (rules_text(setup) or "").split("\n\n")
    own = setup.is_of_template and len(paragraphs) > 1
    return " ".join(paragraphs[1].split()) if own else setup.game.summary


def _document_value(setup: "GameSetup", option: Option) -> Value:
    """Return the value of an option by the letter of the document: its default, unless a preset says otherwise."""
    return setup.game.by_the_letter.options.get(option.name, option.default)


def _document_words(setup: "GameSetup", option: Option) -> str:
    return option.in_words(_document_value(setup, option))


def _source_of(setup: "GameSetup", option: Option) -> str:
    """Return where the document's value of an option comes from; empty if texts don't name it."""
    silent = option.ours and option.name not in setup.game.by_the_letter.options
    return "by default" if silent and setup.game.document_word else setup.game.document_word


def _changed(setup: "GameSetup") -> list[Option]:
    """Return the options that differ from their defaults."""
    return [option for option in setup.game.options(setup.content) if setup.options[option.name] != option.default]


def _values(setup: "GameSetup") -> dict[str, Any]:
    options = {option.name: option for option in setup.game.options(setup.content)}

    def said(name: str, unit: str = "") -> str:
        option, value = options[name], setup.options[name]
        one = re.sub(r"s\b", "", unit, count=1) if value == 1 else unit
        return f"{option.in_words(value)} {one}".rstrip() + instead(name)

    def instead(name: str) -> str:
        option = options[name]
        word, value = _source_of(setup, option), setup.options[name]
        if not word or value in (option.default, _document_value(setup, option)):
            return ""
        words = _document_words(setup, option)
        return f" ({words} {word})" if isinstance(option, NumberOption) else f" ({word}: {words})"

    return {
        **setup.options, "defaults": {name: option.default for name, option in options.items()}, "said": said,
        "instead": instead, "declared": lambda name: _declared(setup, options[name]),
        "by_the_letter": _by_the_letter(setup),
        "title": _SIGNS.sub(r"\\\1", setup.title), "template": setup.game.template and not setup.own_content,
    }  # fmt: skip


def _by_the_letter(setup: "GameSetup") -> str:
    """Return the preset by the letter in Markdown: its summary, and for each option the words that it follows."""
    preset, rows = (
        setup.game.by_the_letter,
        ["| The document | Option | By the letter | Default |", "|---|---|---|---|"],
    )
    for option in setup.game.options(setup.content):
        if option.name in preset.options:
            cells = f"“{preset.quotes.get(option.name, '')}”", f"`{option.name}`", _document_words(setup, option)
            rows.append(f"| {' | '.join(cells)} | {option.in_words(option.default)} |")
    return f"The preset **by the letter** takes the document at its word. {preset.summary}\n\n{chr(10).join(rows)}"


def _declared(setup: "GameSetup", option: Option) -> str:
    values = ", ".join(f"`{value}`" for value in getattr(option, "values", ()))
    if isinstance(option, NumberOption):
        values = f"{option.low} to {option.high}, default {option.default}"
    return f"{values}; here {setup.options[option.name]}" if option in _changed(setup) else values


@lru_cache(maxsize=32)
def _template(text: str) -> "Template":
    """Return a text as a template; to compile it costs ten times as much as to fill it."""
    from jinja2 import Environment, StrictUndefined

    # The texts are Markdown and TOML, which their readers escape; values of the content are escaped by their game.
    return Environment(  # nosec B701
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False
    ).from_string(text)


BLOCK = re.compile(r"^```example\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A position shown in the rules, with its caption."""

    setup: GameSetup
    caption: str
    position: Mapping[str, Any] = field(default_factory=dict)
    play: str = ""
    seat: int | None = None
    show: str = "banner, middle, prompt, hand"

    def match(self) -> Match:
        """Return the match after the example's choices."""
        setup = self.setup
        options = {**setup.options, **self.position.get("options", {})}
        position = {**self.position, "game": setup.game.name, "options": options}
        match = Match.from_position(position, setup.content if setup.own_content else None, game=setup.game)
        match.play(self.play)
        return match

    @property
    def scene(self) -> Any:
        """The scene for the example's seat."""
        match = self.match()
        return match.view((match.seat or 0) if self.seat is None else self.seat).scene

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the scene to draw."""
        return tuple(part.strip() for part in self.show.split(","))


@cached_by_language(64)
def examples(setup: GameSetup) -> tuple[Example | None, ...]:
    """Return all examples in the rules, in order.

    Where the options in force don't fit, an example has the default ones. It is None if the content doesn't fit.
    """
    blocks = [tomllib.loads(block) for block in BLOCK.findall(rules_text(setup) or "")]
    setups = (setup, setup.game.setup({}, setup.content if setup.own_content else None))
    return tuple(next(filter(_fits, (Example(setup=each, **block) for each in setups)), None) for block in blocks)


def _fits(example: Example) -> bool:
    try:
        example.match()
    except SparringError:
        return False
    return True


def replace_examples(text: str, instead: Callable[[int], str]) -> str:
    """Replace each example in the text of the rules by `instead(number)`, with numbers from 0."""
    numbers = iter(range(len(text)))
    return BLOCK.sub(lambda block: instead(next(numbers)), text)
