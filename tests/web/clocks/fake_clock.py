"""Tables with settings, and a clock that the test controls, so that tests don't wait."""

import re
import time
from typing import Any

from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer

LIVE = TableSettings(minutes=5, more=10)
UNTIMED = TableSettings()
MINUTE = 60


class FakeClock:
    """A clock controlled by the test."""

    def __init__(self) -> None:
        self.now = float(int(time.time()))

    def __call__(self) -> float:
        return self.now

    def pass_time(self, server: AppServer, seconds: float) -> None:
        """Let time pass, then let the server do what is due."""
        self.now += seconds
        run_due_timers(server)


def create_table(
    server: AppServer, *names: str, table_settings: TableSettings = LIVE, seed: int = 1, name: str = "hush"
) -> str:
    """Create a table with settings, where all people have arrived."""
    table = server.table(*names, seed=seed, name=name, settings=table_settings)
    for who in {*names} - {"bot"}:
        server.person(who).page(table)
    return table


def end_turn(server: AppServer, who: str, table: str) -> None:
    """End a person's turn."""
    assert server.person(who).choose(table, "done").status_code == 200


def time_left(server: AppServer, table: str) -> list[float]:
    """Return the values of the stopped clocks, in seconds."""
    return [left / 1000 for left in server.held(table).clocks.left]


def post_action(server: AppServer, who: str, table: str, where: str, **body: Any) -> Any:
    return server.person(who).post(f"/api/table/{table}/{where}", json=body or None)


def run_due_timers(server: AppServer) -> None:
    server.run(server.tables.timers.load_due_times())


def wait_for_turn(server: AppServer, table: str, seat: int) -> None:
    server.wait_until(lambda: server.held(table).shown.turn_seat == seat)


def clocks_on(page: str) -> list[str]:
    """Return the clocks on a page."""
    return re.findall(r'class="clock"[^>]*>([^<]*)<', page)


def text_of(page: str) -> str:
    """Return the text of a page."""
    return re.sub(r"<[^>]*>", "", page)
