"""Tables: matches with people at them, and what each viewer sees.

`actions.py` declares each action at a table, by form and in the API, once. `Tables` (`tables.py`) holds the parts that
carry them out, such as `tables.choices.choose(...)`:

* `registry` (`TableRegistry`) loads tables from the database on demand, keeps them in memory and evicts idle ones.
* `commits` (`TableCommits`) has one method for all changes: `commit(table, change)` writes, then publishes.
* `choices` (`ChoiceActions`) is what people do in a match; `bots` (`BotTurns`) does what needs no person.
* `clocks` (`ClockActions`) handles giving up and absence, `timers` (`TableTimers`) what is due, and `proposals`
  (`Proposals`) what all players must agree to.
* `seating` (`TableSeating`), `chat` (`ChatActions`) and `hints` (`HintActions`) are named after their subjects.
* `creation` (`TableCreation`) creates tables and rematches.

The path of a person's choice, from the handler to the database and to other people's streams:

1. `play/registry.py`: `TableRegistry.get` returns the table, as the database has it, for `choose` in `actions.py`.
2. `play/choice_actions.py`: `ChoiceActions.choose` checks the choice, takes the lock and checks again.
3. `play/commits.py`: `TableCommits.commit` applies the change to a copy of the match, writes it and publishes it. Other
   processes hear of it (`play/other_processes.py`), fetch it, apply it and publish it, too.
4. `state/table.py`: `Table` describes the change (`choice`), applies it (`applied`) and wakes all streams (`publish`).
5. `state/player_feed.py`: `PlayerFeed.follow` gives a viewer a new version if they see something of the choice.
6. `site/table_parts/table_html.py`: `event` renders that version.

Beside this path, `state/clock_events.py` says what a choice does to the clocks, and `play/match_results.py` what
lists show and who has won. Whatever changes a table goes through `commit` too, but the chat has its own version
(`play/chat_actions.py`).

A `Table` is one table in memory. It has one `PlayerFeed` per viewer: the versions, beats, log and scenes that this
viewer may see. Viewer 0 is the spectators.

What must hold:

* A change is written before anyone sees it. If the write fails, the table is evicted and read again.
* A table changes only under its lock. Of several processes that change it at once, one succeeds, and the others catch
  up and try again.
* A viewer's version changes only when that viewer sees something change. Neither version numbers nor response times
  reveal a hidden choice.
* When a bot loses its seat while it thinks, its choice is dropped.

Lists never load tables: they read the summary in the table's row (`play/match_results.py`), which is written with
each choice that passes the turn and with an early end. A public table is listed while one of its players has looked
within three minutes.

A rated match writes one result per seat and the rating changes in the transaction that ends it
(`play/match_results.py`). A match that a player gave up before its tenth action doesn't count, and people who share
a screen play casual matches.
"""
