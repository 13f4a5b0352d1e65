"""The player: from the start page to the result of every game, against bots, and a history that can be trusted."""

import pytest
from playwright.sync_api import Browser, expect

from journeys.at_table import create_table, history, play, wait_for
from journeys.steps import Journey, expected_to_fail
from web.browser_helpers import WITH_MOTION

pytestmark = pytest.mark.journey
GAMES = ["Card Duel", "Five Circles", "MACE", "Make Your Moves Lite", "Untitled Movement Game", "World of Fighters"]
#: More clicks than a match ever takes.
MOST_CLICKS = 200
#: Against a random bot, bringing home more than one token takes ten minutes.
SHORT = {"Untitled Movement Game": {"home": 1}}


@pytest.mark.parametrize("game", GAMES)
def test_player_finishes(journey: Journey, browser: Browser, url: str, game: str) -> None:
    page = journey.open(browser, url)
    with journey.step("Choose the game and a bot"):
        create_table(journey, page, game, "random", **SHORT.get(game, {}))
        assert journey.clicks <= 3
    with journey.step("Play to the result"):
        assert play(journey, page, MOST_CLICKS) == "over"
        expect(page.get_by_role("button", name="Play again")).to_be_visible()
        lines = history(page)
        assert lines
    with journey.step("Reload the page"):
        page.reload()
        assert history(page) == lines


@pytest.mark.parametrize("game", ["MACE", "Make Your Moves Lite"])
def test_player_reads_history(journey: Journey, browser: Browser, url: str, game: str) -> None:
    page = journey.open(browser, url, pace="usual", **WITH_MOTION)
    with journey.step("Play against three bots"):
        create_table(journey, page, game, "random", "random", "random")
        play(journey, page, 8)
    with journey.step("Reload the page"), expected_to_fail("The page loses lines of the history with several bots"):
        lines = history(page)
        page.reload()
        assert history(page) == lines
    with journey.step("Play at the same seat on a second device"):
        second = page.context.new_page()
        journey.watch(second)
        second.goto(page.url)
        for number in range(6):
            play(journey, (page, second)[number % 2], 1)
        wait_for(page, "choose", "over")
    with journey.step("Reload on both"), expected_to_fail("The page loses lines with a second client at the same seat"):
        for one in (page, second):
            lines = history(one)
            one.reload()
            assert history(one) == lines
