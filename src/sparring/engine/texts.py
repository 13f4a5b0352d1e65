"""Fill the texts of a game for the options and the content in force; examples in `rules.md` are drawn as positions.

`rules.md` and `learn.toml` are Jinja templates. They can use every option by its name, the values that `text_values` in
the game's `kit.py` returns, and:

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
from .game import Box
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
def rules_text(box: "Box") -> str | None:
    """Return `rules.md` with the options in force beside the rulings that they change; None without that file."""
    file = box.game.folder / RULES
    if not file.exists():
        return None
    text = filled(file.read_text(encoding="utf-8"), box, RULES)
    return _ROW.sub(lambda row: row[0] + changes_of(box, row[2]), text)


def changes_of(box: "Box", rulings: str) -> str:
    """Return the options in force that change one of these rulings, in Markdown, with a space before each."""
    numbers = set(RULING.findall(rulings))
    return "".join(
        f" **In this game: {option.heading}: {option.in_words(box.options[option.name])}.**"
        for option in _changed(box) if numbers & set(RULING.findall(option.ruling))
    )  # fmt: skip


def filled(text: str, box: "Box", name: str) -> str:
    """Fill a text of a game. Raises SparringError, which names the file as `name`."""
    from jinja2 import TemplateError

    own: Callable[[Box], Mapping[str, Any]] = getattr(box.game.kit, "text_values", lambda _: {})
    try:
        return _template(text).render(**_values(box), **own(box))
    except (TemplateError, KeyError, TypeError) as problem:
        line = f", line {problem.lineno}" if hasattr(problem, "lineno") else ""
        reason = f"there is no option {problem}" if isinstance(problem, KeyError) else problem
        raise SparringError(f"{name}{line}: {reason}.") from None


def departures(box: "Box") -> str:
    """Return in words where a match differs from the document that its game follows; empty if nowhere.

    For example `life 14 (2 in the document); first combat in turn 2 (in turn 1 in the document)`.
    """
    return "; ".join(
        say(
            "{option:inside} {value} ({other} {source})",
            option=Text(option.heading), value=say(option.in_words(box.options[option.name])),
            other=say(_document_words(box, option)), source=say(_source_of(box, option)),
        )
        for option in (_changed(box) if box.game.document_word else ())
        if box.options[option.name] != _document_value(box, option)
    )  # fmt: skip


def summary(box: "Box") -> str:
    """Return one sentence about the game; for content of a template the first paragraph of the rules."""
    paragraphs = (rules_text(box) or "").split("\n\n")
    own = box.is_of_template and len(paragraphs) > 1
    return " ".join(paragraphs[1].split()) if own else box.game.summary


def _document_value(box: "Box", option: Option) -> Value:
    """Return the value of an option by the letter of the document: its default, unless a preset says otherwise."""
    return box.game.by_the_letter.options.get(option.name, option.default)


def _document_words(box: "Box", option: Option) -> str:
    return option.in_words(_document_value(box, option))


def _source_of(box: "Box", option: Option) -> str:
    """Return where the document's value of an option comes from; empty if texts don't name it."""
    silent = option.ours and option.name not in box.game.by_the_letter.options
    return "by default" if silent and box.game.document_word else box.game.document_word


def _changed(box: "Box") -> list[Option]:
    """Return the options that differ from their defaults."""
    return [option for option in box.game.options(box.content) if box.options[option.name] != option.default]


def _values(box: "Box") -> dict[str, Any]:
    options = {option.name: option for option in box.game.options(box.content)}

    def said(name: str, unit: str = "") -> str:
        option, value = options[name], box.options[name]
        one = re.sub(r"s\b", "", unit, count=1) if value == 1 else unit
        return f"{option.in_words(value)} {one}".rstrip() + instead(name)

    def instead(name: str) -> str:
        option = options[name]
        word, value = _source_of(box, option), box.options[name]
        if not word or value in (option.default, _document_value(box, option)):
            return ""
        words = _document_words(box, option)
        return f" ({words} {word})" if isinstance(option, NumberOption) else f" ({word}: {words})"

    return {
        **box.options, "defaults": {name: option.default for name, option in options.items()}, "said": said,
        "instead": instead, "declared": lambda name: _declared(box, options[name]),
        "by_the_letter": _by_the_letter(box),
        "title": _SIGNS.sub(r"\\\1", box.title), "template": box.game.template and not box.own_content,
    }  # fmt: skip


def _by_the_letter(box: "Box") -> str:
    """Return the preset by the letter in Markdown: its summary, and for each option the words that it follows."""
    preset, rows = box.game.by_the_letter, ["| The document | Option | By the letter | Default |", "|---|---|---|---|"]
    for option in box.game.options(box.content):
        if option.name in preset.options:
            cells = f"“{preset.quotes.get(option.name, '')}”", f"`{option.name}`", _document_words(box, option)
            rows.append(f"| {' | '.join(cells)} | {option.in_words(option.default)} |")
    return f"The preset **by the letter** takes the document at its word. {preset.summary}\n\n{chr(10).join(rows)}"


def _declared(box: "Box", option: Option) -> str:
    values = ", ".join(f"`{value}`" for value in getattr(option, "values", ()))
    if isinstance(option, NumberOption):
        values = f"{option.low} to {option.high}, default {option.default}"
    return f"{values}; here {box.options[option.name]}" if option in _changed(box) else values


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

    box: Box
    caption: str
    position: Mapping[str, Any] = field(default_factory=dict)
    play: str = ""
    seat: int | None = None
    show: str = "banner, middle, prompt, hand"

    def match(self) -> Match:
        """Return the match after the example's choices."""
        box = self.box
        options = {**box.options, **self.position.get("options", {})}
        position = {**self.position, "game": box.game.name, "options": options}
        match = Match.from_position(position, box.content if box.own_content else None, game=box.game)
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
def examples(box: Box) -> tuple[Example | None, ...]:
    """Return all examples in the rules, in order.

    Where the options in force don't fit, an example has the default ones. It is None if the content doesn't fit.
    """
    blocks = [tomllib.loads(block) for block in BLOCK.findall(rules_text(box) or "")]
    boxes = (box, box.game.box({}, box.content if box.own_content else None))
    return tuple(next(filter(_fits, (Example(box=each, **block) for each in boxes)), None) for block in blocks)


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
