"""Author of a game: from `sparring new` through a changed rule to a match against a bot in the browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from journeys.at_table import history, play
from journeys.installed import Installation
from journeys.steps import Journey

pytestmark = pytest.mark.journey


def replace(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def test_author_of_a_game(browser: Browser, own: Installation, journey: Journey) -> None:
    package = own.folder / "seven-bridges" / "seven_bridges"
    with journey.step("Create the game"):
        said = own.run("sparring", "new", "Seven Bridges")
        journey.keep(said)
        assert "pip install -e 'seven-bridges[test]'" in said
    with journey.step("Install it"):
        own.install("seven-bridges[test]")
        assert "seven-bridges  Seven Bridges, 2 to 4 seats" in own.run("sparring", "games")
    with journey.step("Deal two cards instead of three: the rules say so, too"):
        replace(package / "params.py", "number_option(3, 1, 5", "number_option(2, 1, 5")
        said = own.run("sparring", "rules", "seven-bridges")
        journey.keep(said)
        assert "Everyone gets 2 cards" in said
        assert "default 2" in " ".join(said.split())
        assert "3 passed" in own.run("python", "-m", "pytest", "-q", "seven-bridges")
    with journey.step("Show a hidden card by mistake: the tests say what is wrong"):
        replace(package / "rules.py", "1, of=PACK, seen_by=all_laid", "1, of=PACK, seen_by=EVERYONE")
        with pytest.raises(AssertionError) as failed:
            own.run("python", "-m", "pytest", "-q", "seven-bridges")
        journey.keep(str(failed.value))
        assert "law 4, seven-bridges" in str(failed.value)
        replace(
            package / "rules.py",
            "laid = per_seat(pile(1, of=PACK, seen_by=EVERYONE",
            "laid = per_seat(pile(1, of=PACK, seen_by=all_laid",
        )
        assert "3 passed" in own.run("python", "-m", "pytest", "-q", "seven-bridges")
    with journey.step("Play it in the terminal"):
        said = own.run("sparring", "play", "seven-bridges", "--terminal", "--seats", "random,random")
        journey.keep(said)
        assert "after 4 choices" in said
    with own.serving("seven-bridges") as url:
        with journey.step("See it on the start page"):
            page = journey.open(browser, url)
            expect(page.get_by_role("heading", name="Seven Bridges")).to_be_visible()
        with journey.step("Play a bot: the last card is played by itself"):
            journey.click(page.get_by_role("button", name="Play Seven Bridges", exact=True))
            assert play(journey, page, 2) == "over"
            assert history(page)
            assert page.locator(".side.middle").evaluate("side => side.scrollHeight <= side.clientHeight + 1")
