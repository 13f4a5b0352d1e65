"""Every text that a renderer shows is in a catalogue: only names and words to type stay English in another language."""

import random
import re
from collections.abc import Iterator
from contextlib import nullcontext
from html.parser import HTMLParser
from io import StringIO
from itertools import islice
from pathlib import Path

import msgspec
from rich.console import Console

import sparring
from games.shipped_games import GAMES, find
from games.test_catalogues import english_in, strings
from pseudo_language import pseudo_language
from sparring import Game, Match
from sparring.engine.views import View
from sparring.scene import Cell, svg, things, without_choices
from sparring.scene.html import Exchange, render
from sparring.scene.locations import describe_location, text_of_choice
from sparring.scene.markup import SeatNames, seat_name
from sparring.scene.moves import ExchangeCounter
from sparring.scene.sentences import AnyText, merge_asides
from sparring.scene.text import excerpt, render_area
from sparring.scene.text import render as as_lines
from sparring.terminal.terminal import ME, Terminal
from sparring.text import COMMANDS, TextView
from text_templates import templates

#: Attributes that people read; others name things for scripts, styles and links.
READ = ("alt", "aria-description", "aria-label", "aria-roledescription", "placeholder", "title")
NAMES = ("ASH", "BOLT", "CY", "DOT", "EVE", "FOX")
#: Which choices of which matches are shown.
SEEDS, CHOICES, EVERY = 2, 100, 25
#: The packages of the renderers.
PACKAGES = ("engine", "engine/formats", "scene", "terminal", "site/text_mode", ".")


#: What people type, and what the help of the terminal asks them to type besides commands.
DESCRIPTION = "WITH ALL MY MIGHT"
TYPED = (*DESCRIPTION.split(), "zz", "TEXT", "FILE", "evening", "json")
#: Circles of a card, by their letters.
CIRCLES = re.compile("[RGB]+")


def words_in(text: str) -> list[str]:
    """Return the words of a text."""
    return re.findall(r"[^\W\d_]+", text)


def typed_at(view: View) -> set[str]:
    """Return the words that people can type at a view, also as the first word of a label."""
    typed = [each.words for each in (*view.choices, *view.scene.shortcuts)]
    spaces = [each.name for each in things(view.scene.middle) if isinstance(each, Cell)]
    typed += [*spaces, *(f"o{space}" for space in spaces)]  # as text draws a start
    return {form for each in typed for word in words_in(each) for form in (word, word.capitalize())}


class PageText(HTMLParser):
    """Collects what people read in HTML and SVG."""

    def __init__(self) -> None:
        super().__init__()
        self.read, self._inside = set[str](), list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        self.read |= {value for name, value in attrs if name in READ and value}

    def handle_endtag(self, tag: str) -> None:
        self._inside.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self._inside:
            self.read.add(data)


def text_of(html: str) -> set[str]:
    """Return what people read in HTML or SVG."""
    page = PageText()
    page.feed(re.sub("<input[^>]*>", "", html))
    return page.read


def positions(game: Game) -> Iterator[tuple[Match, View, list[AnyText]]]:
    """Yield views of all seats at beats and at rest, with the sentences that led there."""
    for seed in range(SEEDS):
        match, dice = Match.new(game, seats=game.seats[seed % len(game.seats)], seed=seed), random.Random(seed)
        for number in range(CHOICES):
            if match.over:
                break
            match.choose(dice.choice([each for each in match.legal() if each not in game.conceding]))
            if number % EVERY == 0 or match.over:
                for seat in range(match.seats + 1):
                    beats = match.beats(seat)
                    yield from ((match, beat.view, merge_asides(beat.lines)) for beat in beats)
                    yield match, match.view(seat), merge_asides([line for beat in beats for line in beat.lines])


def read_in(match: Match, view: View, lines: list[AnyText]) -> Iterator[str]:
    """Yield what people read of a view in each renderer."""
    game, scene, names = match.game, view.scene, SeatNames(NAMES[: match.seats])
    last = (without_choices(scene.exchange), lines) if scene.exchange else None
    exchange = Exchange(*last, 1) if last else None
    yield from text_of(str(render(scene, names=names, events=lines, animated=lines, exchange=exchange)))
    yield from text_of(str(render(scene, glossary=game.glossary)))
    yield from text_of(svg.render(scene, names=names.names))
    yield from (as_lines(scene), as_lines(scene, names=names.names, rows=9), excerpt(scene, svg.PARTS))
    yield from render_area(last[0]) if last else ()
    for aloud in (True, False):
        text = TextView(scene, match.setup, names, COMMANDS, lambda: lines, last, aloud=aloud)
        typed = ("question", "choices", "hand", "seats", "table", "last", "help", "at", "at zz", "at a1", "at 0,0")
        yield from (line for each in typed for line in text.reply(each).said)
        for title, choices in text.say.choice_groups(scene):
            yield from (title, *(choice.said for choice in choices))
        parts = (*text.say.seats(scene), *text.say.hand(scene), *text.say.table(scene), *text.last)
        yield from (string for part in parts for string in strings(part))
        yield from (describe_location(scene, thing, text.say) for thing in things(scene.seats + scene.hand))
        yield from (describe_location(scene, thing, text.say) for thing in things((scene.prompt, *scene.middle)))
    yield from (SeatNames().text(text_of_choice(scene, choice.action, choice.words)) for choice in view.choices)


def words_of_moves(exchanges: ExchangeCounter) -> set[str]:
    """Return the words of the names of moves, which are stored without a language."""
    _, to_describe = exchanges.to_describe()
    names = (*exchanges.names.values(), *(move.name for move in to_describe))
    return {word for name in names for word in words_in(name)}


def played_in_terminal(game: Game) -> tuple[str, set[str]]:
    """Return what the terminal prints while people choose and type commands, and the words of all choices."""
    printed, dice, words = StringIO(), random.Random(1), set[str]()
    commands = ["?", "seats", "back", "forfeit", "describe", f"describe {DESCRIPTION}", "save", "99", "redeal", "look"]
    match = Match.new(game, seats=game.seats[0], seed=1)

    def read(prompt: str) -> str:
        printed.write(prompt)
        words.update(typed_at(match.view(terminal.viewer)))
        if len(match.history) == 12:
            return "quit"
        return commands.pop() if commands and dice.random() < 0.5 else dice.choice(terminal.view.choices)

    terminal = Terminal(match, [ME] * match.seats, Console(file=printed, width=100, height=50), read, known_deal=True)
    terminal.play()
    return printed.getvalue(), words | words_of_moves(terminal.exchanges)


@GAMES
def test_nothing_but_names_stays_english(name: str) -> None:
    game = find(name)
    content = " ".join(strings(msgspec.to_builtins(game.content)))
    names, read = {*NAMES, *TYPED, *game.spoken_forms}, dict[str, set[str]]()
    names |= {form for word in words_in(f"{content} {game.title}") for form in (word, word.upper())}
    english = [[*read_in(*each)] for each in islice(positions(game), 3)]  # fills caches, which must not mix languages
    with pseudo_language() as language:
        for match, view, lines in positions(game):
            words = typed_at(view)
            for line in (line for text in read_in(match, view, lines) for line in text.splitlines()):
                read.setdefault(line, set()).update(words)
        printed, words = played_in_terminal(game)
        for line in printed.splitlines():
            read.setdefault(line, set()).update(words)
    assert [[*read_in(*each)] for each in islice(positions(game), 3)] == english
    commands = {*COMMANDS.names, *Terminal.commands.names}
    left = {word: line for line, words in read.items() for word in english_in(line, names | words | commands)}
    assert {word: line for word, line in left.items() if not CIRCLES.fullmatch(word)} == {}
    found = dict[str, str]()
    for package in PACKAGES:
        found |= templates(Path(sparring.__file__).parent / package)
    assert language.used - {*templates(game.folder), *found} == set()


@GAMES
def test_a_view_is_shown_in_each_language_it_is_read_in(name: str) -> None:
    match = Match.new(find(name), seed=3)
    while len(match.history) < 8 and not match.over:
        match.choose(match.legal()[0])
    views = [match.view(0), match.view(1), *(beat.view for beat in match.beats(1))]
    shown = []
    for language in (nullcontext(), pseudo_language(), nullcontext(), pseudo_language()):
        with language:
            shown.append([text for view in views for text in read_in(match, view, [])])
    assert shown[0] == shown[2] != shown[1] == shown[3]


def test_seats_have_names_in_each_language() -> None:
    with pseudo_language():
        assert SeatNames().text("Seat 2 attacks.") == f"{seat_name(2)} attacks." == "Šéáťť 2 attacks."
