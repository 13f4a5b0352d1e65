"""Notes on a seat: away, a bot playing, uses hints, left the match; phones show them instead of the bar's line."""

import re

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from sparring.tables.state.hint_state import HintTaken, TableHints
from web.app_server import AppServer
from web.browser_helpers import new_context


def notes(page: str, seat: int) -> list[str]:
    """Return the notes on a seat; the one that `seat_notes.css` shows only to others is in brackets."""
    panel = re.split('class="seat s|</header>', page.split(f'class="seat s{seat}')[1])[0]
    return [f"({words})" if away else words for away, words in re.findall(r'class="note( away)?">([^<]*)<', panel)]


def test_a_bot_that_plays_for_an_absent_player_is_noted_on_the_seat(server: AppServer, table: str) -> None:
    found = server.held(table)
    found.clocks = msgspec.structs.replace(found.clocks, absent={1: 1})
    assert notes(server.person("Ben").page(table), 1) == ["away, bot playing"]
    assert notes(server.person("Carla").page(table), 2) == ["(away)"]


def test_a_player_who_took_a_hint_has_a_note(server: AppServer, table: str) -> None:
    server.held(table).hints = TableHints((HintTaken(2, 0),))
    assert notes(server.person("Anna").page(table), 2) == ["(away)", "uses hints"]
    assert notes(server.person("Anna").page(table), 1) == []


def test_a_player_who_gave_up_has_a_note_while_the_others_play_on(server: AppServer) -> None:
    table = server.table("Anna", "Ben", "Carla", name="make-your-moves")
    server.person("Ben").post(f"/api/table/{table}/give-up").raise_for_status()
    assert notes(server.person("Anna").page(table), 2) == ["gave up, bot playing"]


@pytest.mark.browser
def test_a_phone_shows_on_the_seat_who_is_away(browser: Browser, server: AppServer, table: str) -> None:
    context = new_context(browser, server.url, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"/table/{table}?watch=true")
    note = page.locator(".s2 .note.away")
    expect(note).to_be_visible()
    ben = new_context(browser, server.url)
    ben.add_cookies([{"name": "sparring", "value": server.person("Ben").cookie(), "url": server.url}])
    visit = ben.new_page()
    visit.goto(f"/table/{table}")
    expect(note).to_be_hidden()
    expect(page.locator(".s1 .note.away")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()  # accounts are in the panel
    page.get_by_role("button", name="Table", exact=True).click()
    for link in ("Create account", "sign in"):
        expect(page.get_by_role("link", name=link)).to_be_visible()
    ben.close()
    context.close()
