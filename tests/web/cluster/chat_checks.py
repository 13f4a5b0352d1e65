"""Chat across the processes of a server, for every transport between them."""

from collections.abc import Sequence

from web.app_server import AppServer, Client, stream_blocks
from web.chat.chat_helpers import act, create_table, say, texts


def check_chat(servers: Sequence[AppServer], name: str) -> list[Client]:
    """Return the same person at each of the processes."""
    return [server.person(name) for server in servers]


def check_phrases(servers: Sequence[AppServer]) -> None:
    """A message posted at one process reaches the stream of another, while a third one owns the table."""
    table = create_table(servers[0], "Anna", "Ben")
    anna, ben = servers[1].person("Anna"), servers[2].person("Ben")
    with ben.http.stream("GET", f"/table/{table}/events?version={ben.version(table)}&chat=0") as response:
        events = stream_blocks(response)
        next(events)
        say(anna, table, word="luck").raise_for_status()
        assert b"Good luck" in next(block for block in events if block.startswith(b"event: chat"))
    assert [texts(client, table) for client in check_chat(servers, "Ben")] == [["Good luck"]] * 3


def check_mutes(servers: Sequence[AppServer]) -> None:
    """A mute at one process applies at all of them, at every table."""
    first, second = create_table(servers[0], "Anna", "Ben", "Cleo"), create_table(servers[1], "Anna", "Ben", "Cleo")
    bens = check_chat(servers, "Ben")
    for table in (first, second):
        say(servers[2].person("Anna"), table, "Before").raise_for_status()
        assert [texts(ben, table) for ben in bens] == [["Before"]] * 3
    act(bens[2], first, "mute", line=1).raise_for_status()
    for server in servers:  # as they do every second
        server.run(server.tables.chat._mutes.refresh(server.tables.chat.store.mutes_of))
    for table in (first, second):
        say(servers[1].person("Anna"), table, "Noise").raise_for_status()
        say(servers[0].person("Cleo"), table, "Music").raise_for_status()
        assert [texts(ben, table) for ben in bens] == [["Music"]] * 3
        assert [texts(cleo, table) for cleo in check_chat(servers, "Cleo")] == [["Before", "Noise", "Music"]] * 3


def check_reports(servers: Sequence[AppServer]) -> None:
    """A report at one process is settled at another, and the message disappears everywhere."""
    table = create_table(servers[0], "Dora", "Carl")
    say(servers[2].person("Dora"), table, "Something rude").raise_for_status()
    act(servers[1].person("Carl"), table, "report", line=1).raise_for_status()
    [report] = [row for row in servers[2].run(servers[2].tables.chat.store.reports()) if row.table == table]
    assert (report.words, report.name, report.reporter) == ("Something rude", "Dora", "Carl")
    servers[2].run(servers[2].tables.moderation.settle(None, report.number, remove=True))
    servers[0].learn()
    read = [texts(carl, table) for carl in check_chat(servers, "Carl")]
    assert read == [[""]] * 3
    assert not [row for row in servers[0].run(servers[0].tables.chat.store.reports()) if row.table == table]


#: All of these, for every transport between processes.
ACROSS = (check_phrases, check_mutes, check_reports)
