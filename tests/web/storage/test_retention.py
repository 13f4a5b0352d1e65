"""What is kept for how long: days on which the server ran, a tenth a day, and a clock that is wrong."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from markupsafe import escape
from sqlalchemy import Connection, insert, update
from typer.testing import CliRunner

from sparring.cli import app as command
from sparring.people.emails import VALID
from sparring.people.notifications import RETRIES
from sparring.settings import DAY
from sparring.store.finished_matches import ReplayStore
from sparring.store.notifications import CONFIRM, RESET
from sparring.store.person import SIGNED_IN
from sparring.store.personal_data import DEPARTED, PERSONAL
from sparring.store.retention import KEPT, Kept
from sparring.store.schema import (
    Base,
    ChallengeRow,
    EndedSessionRow,
    HalfInvitationRow,
    JobStateRow,
    ModerationRow,
    NotificationChoiceRow,
    PushDeviceRow,
    RecordRow,
    ReportRow,
    SeatRow,
    ServerDayRow,
    TableRow,
)  # fmt: skip
from web.accounts.stored_fields import stored
from web.app_server import AppServer, SetClock, StartServer

#: Other numbers than the usual ones, and few days.
OTHER, SOON = {"keep_unused": 2, "keep_days": 100}, {"keep_unused": 2, "keep_days": 4}
#: What the server keeps for itself, without people.
TECHNICAL = {
    "server_id", "process_reports", "heartbeats", "server_days", "push_key", "variants",
    "used_tickets",
}  # fmt: skip


def expire(server: AppServer) -> None:
    """Do what the server does every hour."""
    while server.run(server.app.state.retention.expire()):
        pass


def days_pass(server: AppServer, set_clock: SetClock, days: int) -> None:
    """Let days pass on which the server runs."""
    today = int(time.time()) // DAY
    set_clock(days * DAY)
    rows = [{"day": today + day, "kind": "", "deleted": 0} for day in range(1, days)]
    server.run(server.tables.store.transaction(add, ServerDayRow, *rows))
    expire(server)


def add(connection: Connection, kind: type[Base], *rows: dict[str, object]) -> None:
    if rows:
        connection.execute(insert(kind), list(rows))


def insert_now(rows: type[Base], /, **values: object) -> Callable[[AppServer], None]:
    """Return what inserts a row; values that are functions are called with the time."""

    def insert_row(server: AppServer) -> None:
        now = int(time.time())
        row = {name: value(now) if callable(value) else value for name, value in values.items()}
        server.run(server.tables.store.transaction(add, rows, row))

    return insert_row


def unused_table(server: AppServer) -> str:
    return server.table("Anna", "Ben")


def played_table(server: AppServer) -> str:
    table = server.table("Anna", "Ben")
    assert server.person("Anna").choose(table, "done").is_success
    server.tables.registry.evict(server.run(server.tables.registry.get(table)))
    return table


def studio_set(server: AppServer) -> None:
    server.person("Anna").post("/api/sets", json={"game": "five-circles", "name": "Mine"}).raise_for_status()


def review(server: AppServer) -> None:
    server.run(ReplayStore(server.tables.store).save_review("review", b""))


def rated_seat(server: AppServer) -> None:
    table = played_table(server)
    hashed = update(SeatRow).where(SeatRow.table_id == table).values(network="hashed network")
    server.run(server.tables.store.execute(hashed))


def challenge(server: AppServer) -> None:
    insert_now(ChallengeRow, id="challenge", person="Anna", other="Ben", table=played_table(server), made=_now)(server)


def guest_device(server: AppServer) -> None:
    insert_now(PushDeviceRow, id="device", person="Guest", label="", endpoint="", p256dh="", auth="", created=_now)(
        server
    )
    insert_now(NotificationChoiceRow, person="Guest", kind="turn", channel="push")(server)


def _now(now: int) -> int:
    return now


#: What makes each kind of data, with a mark by which it can be found in the database.
MADE: dict[str, tuple[Callable[[AppServer], object], str]] = {
    "Tables at which": (unused_table, "hush"),
    "Other tables": (played_table, "hush"),
    "Studio sets": (studio_set, "five-circles"),
    "Uploaded": (insert_now(RecordRow, id="uploaded record", person="Anna", name="", record="", game="hush", seats=2,
                            choices=0, over=True, created=_now, used=_now, lines=b""), "uploaded record"),
    "Reviews": (review, "review"),
    "Trainings": (insert_now(JobStateRow, id="a job", kind="training", process="gone", at=_now, succeeded=True,
                             state=b""), "a job"),
    "Reports": (insert_now(ReportRow, table="table", line=1, name="Ben", words="reported", said=_now, made=_now,
                           settled=_now), "reported"),
    "A hash": (rated_seat, "hashed network"),
    "Challenges": (challenge, "challenge"),
    "Invitations": (insert_now(HalfInvitationRow, id="half", person="Anna", name="", game="hush", options="{}",
                               settings="{}", toml="", made=_now), "half"),
    "Notifications": (guest_device, "Guest"),
    "What the operator": (insert_now(ModerationRow, action="ban", why="moderated", at=_now), "moderated"),
    "Sign-ins": (insert_now(EndedSessionRow, person="Anna", session="session", until=lambda now: now + SIGNED_IN),
                 "session"),
}  # fmt: skip
DELETED = [kept for kept in KEPT if kept.delete and "{days}" in kept.until]


def is_stored(server: AppServer, mark: str) -> bool:
    return any(value == mark for _, _, value in server.run(stored(server)))


def made(server: AppServer, kept: Kept) -> str:
    """Make data of a kind, and return its mark."""
    [(make, mark)] = [entry for begin, entry in MADE.items() if kept.what.startswith(begin)]
    make(server)
    assert is_stored(server, mark)
    for table in list(server.tables.registry.ids()):
        server.tables.registry.evict(server.run(server.tables.registry.get(table)))
    return mark


@pytest.mark.parametrize("kept", DELETED, ids=lambda kept: kept.what.split(":")[0])
def test_each_kind_is_deleted_after_the_days_that_the_page_names(
    start_server: StartServer, set_clock: SetClock, kept: Kept
) -> None:
    server = start_server(**OTHER)
    mark, days = made(server, kept), kept.days(server.settings)
    page = server.stranger().get("/retention").text
    assert f"<dt>{escape(kept.what)}</dt><dd>{escape(kept.duration(server.settings))}</dd>" in page
    assert f"{days} days" in kept.duration(server.settings)
    set_clock(-60)  # kept until the last minute
    days_pass(server, set_clock, days)
    assert is_stored(server, mark)
    days_pass(server, set_clock, 1)
    assert not is_stored(server, mark)


def test_what_lasts_as_long_as_an_account_is_deleted_with_it() -> None:
    with_person = {column.table.name for column in PERSONAL if column.info["person"] != "anonymize"}
    for kept in KEPT:
        if "until you" in kept.until:
            assert {rows.__tablename__ for rows in kept.rows} <= with_person


def test_the_words_for_links_messages_and_cookies_are_right() -> None:
    assert (VALID[RESET], VALID[CONFIRM], SIGNED_IN, len(RETRIES)) == (3600, DAY, 365 * DAY, 5 - 1)


def test_the_page_names_everything_that_is_stored() -> None:
    named = {rows.__tablename__ for kept in KEPT for rows in kept.rows}
    assert named | TECHNICAL == set(Base.metadata.tables)
    assert not named & TECHNICAL


def all_made(server: AppServer) -> list[tuple[str, str, object]]:
    """Make data of all kinds; return everything stored."""
    for kept in DELETED:
        made(server, kept)
    return content(server)


def content(server: AppServer) -> list[tuple[str, str, object]]:
    kinds = {rows.__tablename__ for kept in DELETED for rows in kept.rows}
    return [field for field in server.run(stored(server)) if field[0] in kinds]


def test_nothing_is_lost_while_the_clock_is_400_days_ahead(
    start_server: StartServer,
    set_clock: SetClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = start_server()
    before = all_made(server)
    expire(server)
    assert server.stranger().get("/health").json()["says"] == "Everything works."
    server.close()
    set_clock(400 * DAY)
    server = start_server()
    for _ in range(3):
        expire(server)
        set_clock(DAY)
    assert content(server) == before
    says = server.stranger().get("/health").json()["says"]
    assert "4 tables" in says
    assert "`sparring admin tables --expire` deletes them now" in says
    assert says.split(" (")[0] in caplog.text
    server.close()
    (tmp_path / "secret.key").write_text(64 * "0")
    monkeypatch.setenv("SPARRING_DATABASE", server.settings.database)
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    told = CliRunner().invoke(command, ["admin", "tables", "--expire"], catch_exceptions=False)
    assert told.stdout == "Deleted 4 tables, 1 set, 1 record and 1 report.\n"
    server = start_server()
    expire(server)
    assert server.stranger().get("/health").json()["says"] == "Everything works."


def test_at_most_a_tenth_of_all_tables_goes_in_a_day(start_server: StartServer, set_clock: SetClock) -> None:
    server, other = start_server(**SOON), start_server(**SOON)
    for _ in range(30):
        played_table(server)
    left = [30]
    for _ in range(8):
        days_pass(server, set_clock, 1)
        expire(other)  # another process of the same server
        left.append(server.run(server.tables.store.count(TableRow)))
    assert left == [30, 30, 30, 30, 27, 25, 23, 21, 19]
    assert "are old enough to be deleted" in server.stranger().get("/health").json()["says"]


def test_open_tables_stay(start_server: StartServer, set_clock: SetClock) -> None:
    server = start_server(**SOON)
    table = server.table("Anna", "Ben")
    days_pass(server, set_clock, 9)
    assert server.run(server.tables.store.load(table))


def test_a_table_of_bots_is_unused(start_server: StartServer, set_clock: SetClock) -> None:
    server = start_server(**OTHER)
    server.bots.may_choose.clear()
    bots, played = server.table("bot", "bot"), played_table(server)
    server.tables.registry.evict(server.run(server.tables.registry.get(bots)))
    days_pass(server, set_clock, 3)
    assert [table.id for table in server.run(server.tables.store.tables(9))] == [played]


def test_a_server_that_runs_seldom_keeps_tables_for_longer(start_server: StartServer, set_clock: SetClock) -> None:
    server = start_server(**SOON)
    played_table(server)
    left = list[int]()
    for days in (100, 1, 300, 1, 1):
        set_clock(days * DAY)
        expire(server)
        left.append(server.run(server.tables.store.count(TableRow)))
    assert (left[:3], left[-1]) == ([1, 1, 1], 0)


def test_the_id_of_a_deleted_person_is_kept_until_the_match_is_over(server: AppServer) -> None:
    table, store = server.table("Anna", "Ben"), server.tables.store
    gone, over = update(SeatRow).values(person=f"{DEPARTED}1"), update(TableRow).values(over=True)
    for statement, left in ((gone.where(SeatRow.table_id == table), True), (over, False)):
        server.run(store.execute(statement))
        expire(server)
        assert is_stored(server, f"{DEPARTED}1") is left
