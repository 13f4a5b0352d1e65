"""Chat across the processes of a server, for every transport between them."""

from collections.abc import Sequence

from web.app_server import House, Visitor, parts
from web.chat.chat_helpers import act, say, table_at, texts


def everywhere(houses: Sequence[House], name: str) -> list[Visitor]:
    """Return the same person at each of the processes."""
    return [house.person(name) for house in houses]


def hears_a_quick_word(houses: Sequence[House]) -> None:
    """A message posted at one process reaches the stream of another, while a third one owns the table."""
    table = table_at(houses[0], "Anna", "Ben")
    anna, ben = houses[1].person("Anna"), houses[2].person("Ben")
    with ben.http.stream("GET", f"/table/{table}/events?version={ben.version(table)}&talk=0") as answer:
        events = parts(answer)
        next(events)
        say(anna, table, word="luck").raise_for_status()
        assert b"Good luck" in next(block for block in events if block.startswith(b"event: talk"))
    assert [texts(visitor, table) for visitor in everywhere(houses, "Ben")] == [["Good luck"]] * 3


def hears_nobody_who_is_muted(houses: Sequence[House]) -> None:
    """A mute at one process applies at all of them, at every table."""
    first, second = table_at(houses[0], "Anna", "Ben", "Cleo"), table_at(houses[1], "Anna", "Ben", "Cleo")
    bens = everywhere(houses, "Ben")
    for table in (first, second):
        say(houses[2].person("Anna"), table, "Before").raise_for_status()
        assert [texts(ben, table) for ben in bens] == [["Before"]] * 3
    act(bens[2], first, "mute", line=1).raise_for_status()
    for house in houses:  # as they do by themselves every second
        house.run(house.tables._mutes.refresh(house.tables.chat_store.mutes_of))
    for table in (first, second):
        say(houses[1].person("Anna"), table, "Noise").raise_for_status()
        say(houses[0].person("Cleo"), table, "Music").raise_for_status()
        assert [texts(ben, table) for ben in bens] == [["Music"]] * 3
        assert [texts(cleo, table) for cleo in everywhere(houses, "Cleo")] == [["Before", "Noise", "Music"]] * 3


def what_is_reported_is_taken_away(houses: Sequence[House]) -> None:
    """A report at one process is settled at another, and the message disappears everywhere."""
    table = table_at(houses[0], "Dora", "Carl")
    say(houses[2].person("Dora"), table, "Something rude").raise_for_status()
    act(houses[1].person("Carl"), table, "report", line=1).raise_for_status()
    [report] = [row for row in houses[2].run(houses[2].tables.chat_store.reports()) if row.table == table]
    assert (report.words, report.name, report.reporter) == ("Something rude", "Dora", "Carl")
    assert houses[2].run(houses[2].tables.chat_store.settle(report.number, remove=True))
    houses[0].run(houses[0].app.state.hearing.poll())  # as it does by itself every half second
    read = [texts(carl, table) for carl in everywhere(houses, "Carl")]
    assert read == [[""]] * 3
    assert not [row for row in houses[0].run(houses[0].tables.chat_store.reports()) if row.table == table]


#: All of these, for every transport between processes.
ACROSS = (hears_a_quick_word, hears_nobody_who_is_muted, what_is_reported_is_taken_away)
