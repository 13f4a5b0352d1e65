"""Three processes behind a plain round robin, without stickiness, answer like one."""

import asyncio

from benchmarks.round_robin import play_matches
from web.postgres import Postgres

#: What the players of these matches do, so that it is checked.
DONE = (
    "choose", "take-back", "hint", "propose", "answer", "screen", "chat", "again",
)  # fmt: skip


def test_people_at_three_processes_play_as_at_one(postgres_server: Postgres) -> None:
    report = asyncio.run(play_matches(postgres_server.url, matches=12))
    assert not report.violations, str(report)
    assert report.counts["matches"] == 12
    assert not {action for action in DONE if not report.counts[f"{action}: accepted"]}, str(report)
    assert report.counts["reconnects"] > 12
