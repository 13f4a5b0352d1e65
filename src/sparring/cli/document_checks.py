"""Check a game's documents against its rules: examples, tutorial, glossary, rulings and content, by file and line."""

import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from sparring.engine.errors import SparringError
from sparring.engine.game import CONTENT, Game
from sparring.engine.glossary import read_glossary
from sparring.engine.match import Match
from sparring.engine.options import ChoiceOption
from sparring.engine.texts import BLOCK, RULES, RULING, Example, examples, rules_text
from sparring.scene import PrintableScene, Seat, things
from sparring.scene.html import LAST_EXCHANGE_TERM
from sparring.scene.model import terms
from sparring.tutorials.check import check_lesson
from sparring.tutorials.lesson import FILE, has_lesson

#: The most choices of a match in `sample_scenes`.
SAMPLED_CHOICES = 150
#: The step that a message of `check_lesson` names, and the row of a ruling in the rules.
STEP = re.compile(r"Step (\d+)|steps\[(\d+)\]")
RULING_ROW = re.compile(r"^\|\s*(R\d+)\s*\|", re.MULTILINE)


def document_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong in a game's `rules.md`, `learn.toml` and other documents, as `rules.md, line 40: ...`."""
    yield from _rules_faults(game)
    yield from _lesson_faults(game)
    try:
        read_glossary(game.folder / "glossary.toml")
    except SparringError as problem:
        yield _with_line(game, "glossary.toml", str(problem))
    with suppress(Exception):  # any complaint means that the file is read
        game.content_from({"not a field": True}, CONTENT)
        if game.has_content:
            yield f"{CONTENT}: `read_content` of params.py doesn't read this file; delete it, or use it."


def unused_words(game: Game) -> set[str]:
    """Return the words of the glossary that none of `sample_scenes` shows; a word may be there in other matches."""
    unused = {entry.word for entry in game.glossary.entries}
    for scene in sample_scenes(game) if unused else ():
        shown = [word for thing in things(scene) for word in (thing.tags if isinstance(thing, Seat) else terms(thing))]
        shown += [LAST_EXCHANGE_TERM] if scene.exchange else []
        unused -= {entry.word for entry in game.glossary.explain(shown)}
        if not unused:
            break
    return unused


def sample_scenes(game: Game) -> Iterator[PrintableScene]:
    """Yield the examples in the rules, and for every variant a random match as all viewers see it, one with beats."""
    yield from (example.scene for example in examples(game.setup()) if example)
    for number, options in enumerate(_variants(game)):
        match = Match.deal(game.setup(options), game.seats[number % len(game.seats)], number)
        rng = random.Random(number)
        for count in range(SAMPLED_CHOICES):
            yield match.view((match.seat or 1) if count % 8 else 0).scene
            after = [action for action in match.legal() if action not in game.conceding]
            if not after:
                break
            match.choose(rng.choice(after))
            if not number:
                yield from (beat.view.scene for beat in match.beats(1))


def _variants(game: Game) -> Iterator[Mapping[str, Any]]:
    """Yield the default, every preset, and every other value of an option."""
    yield {}
    yield from (preset.options for preset in game.presets.values())
    for option in game.options():
        if isinstance(option, ChoiceOption):
            yield from ({option.name: value} for value in option.values[1:])


def _rules_faults(game: Game) -> Iterator[str]:
    try:
        text = rules_text(game.setup())
    except SparringError as problem:
        yield str(problem)
        return
    if text is None:
        yield "rules.md is missing; write the rules there."
        return
    for block in BLOCK.findall(text):
        try:
            example = Example(setup=game.setup(), **tomllib.loads(block))
            example.scene  # noqa: B018 - reading the position is the check
        except (SparringError, tomllib.TOMLDecodeError, TypeError) as problem:
            yield f"rules.md{_line_of(game, block)}: this example can't be shown: {_sentence(problem)}"
    rows = set(RULING_ROW.findall(text))
    for option in game.options():
        for number in RULING.findall(option.ruling):
            if number not in rows:
                yield f"rules.md: option {option.name} refers to ruling {number}, which has no row."


def _line_of(game: Game, block: str) -> str:
    """Return the line of an example in the file, found by its caption, which may be filled: then there is none."""
    lines = (game.folder / RULES).read_text(encoding="utf-8").splitlines()
    first = block.partition("\n")[0]
    return f", line {lines.index(first) + 1}" if first in lines else ""


def _lesson_faults(game: Game) -> Iterator[str]:
    if not has_lesson(game):
        return
    try:
        check_lesson(game)
    except (SparringError, AssertionError) as problem:
        yield _lesson_fault(game, str(problem))
    except (KeyError, ValueError, TypeError, IndexError) as problem:
        yield f"{FILE}: the tutorial can't be played: {type(problem).__name__}: {problem}"


def _lesson_fault(game: Game, problem: str) -> str:
    """Return a fault of the tutorial with the line of its step, or of its position if it names no step."""
    lines = (game.folder / FILE).read_text(encoding="utf-8").splitlines()
    steps = [number for number, line in enumerate(lines, 1) if line.strip() == "[[steps]]"]
    positions = [number for number, line in enumerate(lines, 1) if line.strip() == "[position]"]
    named = STEP.search(problem)
    index = (int(named[1]) - 1 if named[1] else int(named[2])) if named else -1
    if 0 <= index < len(steps):
        return f"{FILE}, line {steps[index]}: {problem}"
    if positions and not re.search(r"line \d+", problem):
        return f"{FILE}, line {positions[0]}: {problem}"
    return f"{FILE}: {problem.removeprefix(f'{game.title}: {FILE}: ')}"


def _with_line(game: Game, name: str, problem: str) -> str:
    """Return a message about `name: Entry: ...` with the entry's line."""
    words = problem.removeprefix(f"{name}: ")
    lines = (game.folder / name).read_text(encoding="utf-8", errors="replace").splitlines()
    entry = words.partition(":")[0].strip()
    numbers = [number for number, line in enumerate(lines, 1) if line.strip().strip('[]"') == entry]
    return f"{name}, line {numbers[0]}: {words}" if numbers else f"{name}: {words}"


def _sentence(problem: BaseException) -> str:
    """Return a problem in one sentence; Python's message about an unknown field of an example in the game's words."""
    unknown = re.search(r"unexpected keyword argument '(\w+)'", str(problem))
    missing = re.search(r"missing .* argument.?: (.*)", str(problem))
    if unknown:
        return f"an example has no field {unknown[1]}."
    return f"it lacks {missing[1]}." if missing else str(problem)
