"""Every rules term that a table shows has a glossary entry, in every variant, and every entry is used."""

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.shipped_games import GAMES, find
from sparring import Game, Match
from sparring.engine.options import ChoiceOption
from sparring.engine.texts import examples
from sparring.scene import Button, Card, Cell, Fact, PrintableScene, Seat, Token, Track, things
from sparring.scene.glossary_terms import terms
from sparring.scene.html import LAST_EXCHANGE_TERM

#: The number of choices of a match that are checked.
LONG = 150


def variants(game: Game) -> Iterator[Mapping[str, Any]]:
    """Yield the default, every preset, and every other value of an option."""
    yield {}
    yield from (preset.options for preset in game.presets.values())
    for option in game.kit.OPTIONS:
        if isinstance(option, ChoiceOption):
            yield from ({option.name: value} for value in option.values[1:])


def scenes(game: Game) -> Iterator[PrintableScene]:
    """Yield the examples in the rules, and for every variant a random match as all viewers see it, one with beats."""
    yield from (example.scene for example in examples(game.box()) if example)
    for number, options in enumerate(variants(game)):
        match = Match.deal(game.box(options), game.seats[number % len(game.seats)], number)
        dice = random.Random(number)
        for count in range(LONG):
            yield match.view((match.seat or 1) if count % 8 else 0).scene
            after = [action for action in match.legal() if action not in game.conceding]
            if not after:
                break
            match.choose(dice.choice(after))
            if not number:
                yield from (beat.view.scene for beat in match.beats(1))


@cache
def displayed_terms(name: str) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """Return the terms that need an entry, as (kind, word), and all words that refer to the glossary."""
    wanted: set[tuple[str, str]] = set()
    asked: set[str] = set()
    for scene in scenes(find(name)):
        for thing in things(scene):
            words = thing.tags if isinstance(thing, Seat) else terms(thing)
            asked.update(words)
            kind = type(thing).__name__
            if isinstance(thing, Seat | Track | Card | Button | PrintableScene):
                wanted.update((kind, word) for word in words if word)
            elif isinstance(thing, Fact | Cell | Token):
                wanted.add((kind, "\n".join(words)))
        if scene.exchange:
            wanted.add(("heading", LAST_EXCHANGE_TERM))
            asked.add(LAST_EXCHANGE_TERM)
    return frozenset(wanted), frozenset(asked)


#: A fact that tables show only near the end of a match in which nothing happens; the sampled matches end earlier.
LATE = {"Quiet Rounds"}


@GAMES
def test_every_displayed_term_has_an_entry(name: str) -> None:
    glossary = find(name).glossary
    lacking = [(kind, words) for kind, words in displayed_terms(name)[0] if not glossary.explain(words.split("\n"))]
    assert sorted(lacking) == []


@GAMES
def test_every_entry_is_used(name: str) -> None:
    glossary = find(name).glossary
    found = set(glossary.explain(displayed_terms(name)[1]))
    unused = {entry.word for entry in glossary.entries if entry not in found}
    assert unused <= LATE


@GAMES
def test_entries_are_short_and_distinct(name: str) -> None:
    entries = find(name).glossary.entries
    assert len({entry.id for entry in entries}) == len(entries)
    assert [entry.word for entry in entries if not 20 < len(entry.text) < 220] == []
