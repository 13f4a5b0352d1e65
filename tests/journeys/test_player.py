"""The player: from the start page to the result of every game, against bots, and a history that can be trusted."""

import pytest
from playwright.sync_api import Browser, expect

from journeys.at_table import create_table, history, play, wait_for
from journeys.steps import Journey
from web.browser_helpers import WITH_MOTION

pytestmark = pytest.mark.journey
GAMES = ["Card Duel", "Five Circles", "MACE", "Make Your Moves Lite", "Untitled Movement Game", "World of Fighters"]
#: More clicks than a match ever takes.
MOST_CLICKS = 200
#: Against a random bot a race takes ten minutes: it ends after 20 rounds in which no token is placed or comes home.
SHORT = {"Untitled Movement Game": {"home": 1, "stall_rounds": 20}}


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


def test_player_reads_history(journey: Journey, browser: Browser, url: str) -> None:
    page = journey.open(browser, url, pace="quick", **WITH_MOTION)
    with journey.step("Play against three bots"):
        create_table(journey, page, "MACE", "random", "random", "random")
        play(journey, page, 6)
    with journey.step("Reload the page"):
        lines = history(page)
        page.reload()
        assert history(page) == lines
    with journey.step("Play at the same seat on a second device"):
        second = page.context.new_page()
        journey.watch(second)
        second.goto(page.url)
        for number in range(4):
            play(journey, (page, second)[number % 2], 1)
        wait_for(page, "choose", "over")
    with journey.step("Reload on both"):
        for one in (page, second):
            lines = history(one)
            one.reload()
            assert history(one) == lines
