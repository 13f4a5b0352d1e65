"""A server that is killed during a match and started again, seen from a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from web.browser.visits import CHOICE, Visit, click, play, start_match, version, wait_for_state
from web.server_process import ServerProcess

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    started = ServerProcess(tmp_path_factory.mktemp("server"))
    yield started
    started.stop()


def test_a_killed_server_loses_nothing(visit: Visit, server: ServerProcess) -> None:
    page = visit()
    start_match(page, "random")
    play(page, click, 3)
    wait_for_state(page, "choose")
    before = version(page), page.locator(CHOICE).all_text_contents()
    server.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    server.start()
    expect(page.get_by_text("Connection lost")).to_be_hidden()
    assert (version(page), page.locator(CHOICE).all_text_contents()) == before
    play(page, click, 8)
    page.reload()
    assert page.locator("#log li").count() > 5
