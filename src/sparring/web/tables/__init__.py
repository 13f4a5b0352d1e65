"""Tables: matches with people at them, and what each viewer sees.

`Tables` (`tables.py`) is the service that pages and API use. Its base classes divide the work:

* `TableRegistry` loads tables from the database on demand and evicts idle ones.
* `TablePersistence` serializes changes: lock, write to the database, publish.
* `TimeActions` handles clocks, absence, proposals and giving up; `ChatActions` the chat; `TableSeating` the players.
* `Tables` creates tables, commits choices, gives hints and runs bots.

A `Table` is one table in memory. It has one `PlayerFeed` per viewer: the versions, beats, log and scenes that this
viewer may see. Viewer 0 is the spectators.

What must hold:

* A change is written before anyone sees it. If the write fails, the table is evicted and read again.
* Only one process owns a table, and the table changes only under its lock.
* A viewer's version changes only when that viewer sees something change. Neither version numbers nor response times
  reveal a hidden choice.
* When a bot loses its seat while it thinks, its choice is dropped.

Lists never load tables: they read the summary in the table's row (`summary.py`), which is written with each choice
that passes the turn. A public table is listed while one of its players has looked within three minutes.

A rated match writes one result per seat and the rating changes in the transaction that ends it (`match_results.py`). A
match that a player gave up before its tenth action doesn't count, and people who share a screen play casual matches.
"""
