"""Every rules term that a table shows has a glossary entry, in every variant, and every entry is used."""

from functools import cache

from games.shipped_games import GAMES, find
from sparring.cli.document_checks import sample_scenes, unused_words
from sparring.scene import Button, Card, Cell, Fact, PrintableScene, Seat, Token, Track, things
from sparring.scene.html import LAST_EXCHANGE_TERM
from sparring.scene.model import terms


@cache
def displayed_terms(name: str) -> frozenset[tuple[str, str]]:
    """Return the terms that need an entry, as (kind, word)."""
    wanted: set[tuple[str, str]] = set()
    for scene in sample_scenes(find(name)):
        for thing in things(scene):
            words = thing.tags if isinstance(thing, Seat) else terms(thing)
            kind = type(thing).__name__
            if isinstance(thing, Seat | Track | Card | Button | PrintableScene):
                wanted.update((kind, word) for word in words if word)
            elif isinstance(thing, Fact | Cell | Token):
                wanted.add((kind, "\n".join(words)))
        if scene.exchange:
            wanted.add(("heading", LAST_EXCHANGE_TERM))
    return frozenset(wanted)


#: A fact that tables show only near the end of a match in which nothing happens; the sampled matches end earlier.
LATE = {"Quiet Rounds"}


@GAMES
def test_every_displayed_term_has_an_entry(name: str) -> None:
    glossary = find(name).glossary
    lacking = [(kind, words) for kind, words in displayed_terms(name) if not glossary.explain(words.split("\n"))]
    assert sorted(lacking) == []


@GAMES
def test_every_entry_is_used(name: str) -> None:
    assert unused_words(find(name)) <= LATE


@GAMES
def test_entries_are_short_and_distinct(name: str) -> None:
    entries = find(name).glossary.entries
    assert len({entry.id for entry in entries}) == len(entries)
    assert [entry.word for entry in entries if not 20 < len(entry.text) < 220] == []
