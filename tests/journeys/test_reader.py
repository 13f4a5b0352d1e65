"""Reader: prints every game with every preset, and finds the same rules on cards, in the booklet and on each sheet."""

import re

import pytest

pytest.importorskip("typst", reason="the extra `print` is not installed")

from pypdf import PdfReader

from journeys.installed import Installation
from journeys.steps import Journey

pytestmark = pytest.mark.journey

GAMES = ("card-duel", "five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters")
#: Of each game and preset: what the turn cards say, and what the first chapter of the booklet says.
WORDS = {
    ("five-circles", "longer"): ("Combat (from turn 2 on)", "five cards and 14 life (2 in the document)"),
    ("five-circles", "by the letter"): ("Combat: lane 1 first", "five cards and 2 life."),
    ("five-circles", "standard"): ("Combat: lane 1 first", "five cards and 2 life."),
    ("five-circles", "for play"): ("Combat (from turn 2 on)", "five cards and 2 life."),
    ("untitled-movement", "short"): ("When two tokens are on your goals", "2 tokens home (4 in the document) wins"),
    ("untitled-movement", "by the letter"): ("When all four tokens are on your goals", "4 tokens home wins"),
    ("untitled-movement", "standard"): ("When all four tokens are on your goals", "4 tokens home wins"),
    ("card-duel", ""): ("Your turn", "8 life"),
    ("mace", "standard"): ("Your turn", "hand of five cards"),
    ("mace", "by the letter"): ("Your turn", "hand of five cards"),
    ("make-your-moves", "standard"): ("Your turn", "The first player with three points wins"),
    ("make-your-moves", "by the letter"): ("Your turn", "They may pass instead and stay in control"),
    ("world-of-fighters", "standard"): ("Your turn", "20 health"),
    ("world-of-fighters", "by the letter"): ("Your turn", "20 health"),
}  # fmt: skip
#: Who wrote each game, and its licence with the link, as far as the document names one.
CREDITS = {
    "mace": ("Aaron “Relentless96” White", "CC BY-NC-SA 3.0", "creativecommons.org/licenses/by-nc-sa/3.0"),
    "untitled-movement": ("Dead Fish Games", "CC BY-NC-SA 4.0", "creativecommons.org/licenses/by-nc-sa/4.0"),
    "make-your-moves": ("the author of Make Your Moves",),
    "five-circles": ("the author of its rules document",),
    "world-of-fighters": ("the author of its rules document",),
    "card-duel": ("the Sparring authors", "MIT"),
}


def flat(text: str) -> str:
    """Return a text without the line breaks and hyphens of its pages."""
    return re.sub(r"\s+", " ", re.sub(r"-\n", "", text))


def tight(text: str) -> str:
    """Return a text without spaces and breaks."""
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("game", GAMES)
def test_reader_prints(game: str, installation: Installation, journey: Journey) -> None:
    with journey.step("See which presets the game has"):
        said = installation.run("sparring", "games")
        journey.keep(said)
        own = re.search(rf"^{game} .*\n((?:  .*\n)*)", said, re.MULTILINE)
        assert own
        presets = re.findall(r'--preset "(.*?)"', own[1]) or [""]
        assert {(game, preset) for preset in presets} == {known for known in WORDS if known[0] == game}
    for preset in presets:
        with journey.step(f"Print it {preset}".strip()):
            file = installation.folder / f"{preset or game}.pdf"
            installation.run("sparring", "print", game, *(["--preset", preset] if preset else []), "--to", str(file))
            texts = [page.extract_text() for page in PdfReader(file).pages]
            pages = [flat(text) for text in texts]
            first = next(number for number, page in enumerate(pages) if "How to play" in page)
            sheets, booklet = " ".join(pages[:first]), " ".join(pages[first:])
            journey.keep("\n\n".join(pages))
        with journey.step(f"Compare the cards with the booklet {preset}".strip()):
            card, chapter = WORDS[game, preset]
            assert card in sheets
            assert "Rules and variants" in booklet
            assert chapter in booklet
        with journey.step(f"Find who wrote it {preset}".strip()):
            assert all(tight(word) in tight("".join(texts[first:])) for word in CREDITS[game])
            assert all(tight(word) in tight(text) for word in CREDITS[game] for text in texts[:first])
