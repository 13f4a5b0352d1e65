"""Every text of a game is in its catalogue: in the pseudo-language only names and words to type stay English."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import sparring.engine
from games.shipped_games import GAMES, find
from pseudo_language import pseudo_language
from sparring import Match
from sparring.engine.views import View
from sparring.scene import Colour, Face, things
from sparring.scene.sentences import say
from text_templates import templates

#: The fields of a scene's objects that people read; faces of cards are content, and other fields name objects.
READ = ("why_not", "text", "title", "total", "empty", "label", "marks", "tags", "sentence", "detail", "status", "word",
        "forfeit")  # fmt: skip
CHOICES, MATCHES = 120, 3


def strings(value: Any) -> Iterator[str]:
    """Yield all strings in data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)


def texts_of(view: View) -> Iterator[str]:
    """Yield what people read in a view."""
    scene = view.scene
    for thing in (scene, *things((scene.seats, scene.left, scene.middle, scene.right, scene.hand, scene.prompt))):
        for field in () if isinstance(thing, Colour | Face | str) else READ:
            if thing is not scene or field != "title":  # the game's title
                yield from strings(getattr(thing, field, ""))
        yield say(getattr(thing, "state", ""))  # it also names a look


def read_in(match: Match) -> Iterator[str]:
    """Yield what all seats and spectators read after the last choice, and all refusals."""
    for seat in range(match.seats + 1):
        for beat in match.beats(seat):
            yield from map(str, beat.lines)
            yield from (say(effect.word) for effect in beat.effects)
            yield from texts_of(beat.view)
        yield from texts_of(match.view(seat))
    if match.seat:
        view, legal = match.view(match.seat), match.legal()
        yield from (match.setup.why_not(view.state, n) for n in range(len(match.game.rules.ACTIONS)) if n not in legal)
        if reasons := match.game.reasons:
            pairs = [(a, b) for a in legal[:6] for b in legal[:6] if a != b]
            yield from (str(why) for a, b in pairs for why in reasons.reasons_for(view.setup, view.state, a, b))


def english_in(text: str, names: set[str]) -> list[str]:
    """Return the words of a text that are neither accented nor names nor to be typed."""
    return [
        word
        for word in re.findall(r"[^\W\d_]{2,}", re.sub("“[^”]*”", "", text))
        if word.isascii() and word not in names
    ]


@GAMES
def test_nothing_but_names_stays_english(name: str) -> None:
    game = find(name)
    content = " ".join(strings(msgspec.to_builtins(game.content)))
    names, read = {"Seat", *re.findall(r"[^\W\d_]+", content)}, set[str]()
    with pseudo_language() as language:
        for seed in range(MATCHES):
            match, dice = Match.new(game, seats=game.seats[seed % len(game.seats)], seed=seed), random.Random(seed)
            for _ in range(CHOICES):
                if match.over:
                    break
                match.choose(dice.choice([each for each in match.legal() if each not in game.conceding]))
                read |= {*read_in(match)}
    left = {text: words for text in read if (words := english_in(text, names))}
    assert left == {}
    common = templates(Path(sparring.engine.__file__).parent) | templates(Path(sparring.__file__).parent / "scene")
    assert language.used - {*templates(game.folder), *common} == set()
