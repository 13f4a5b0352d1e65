"""What people, bots and timers do at tables: each change is checked, written and published.

`TableRegistry` (`registry.py`) holds the tables, and `TableCommits` (`commits.py`) makes all changes. The other modules
have the actions of one subject each: choices, clocks, proposals, chat, hints, moderation. `match_results.py` says how a
match stands and ends, for lists and ratings, and `match_history.py` what becomes of it.

What must hold for chat:

* Chat is stored beside the match and changes no version, so a chat line never makes a choice stale.
* Each line carries the version of the chat in which it last changed. Streams, reloaded pages and programs ask for
  everything since the version they know. Lines are never deleted: a removed one keeps its number.
* Free text is one line of at most 200 characters, without control, invisible or direction-changing characters, and
  with at most three combining marks per letter. Every text gets its own element, so that it can't affect its
  surroundings (`tables/state/chat_log.py`).
* Mutes belong to a person and apply at every table.
* A report keeps a copy of the text until the operator or a moderator settles it, and 90 days longer.
* A move can be described at a beat whose public view has `named_moves`, the game's names for the moves. Exchanges are
  counted from what spectators see.

What must hold for clocks:

* A turn lasts from when a seat is asked until another one is. Everyone knows whose turn it is, so clocks reveal
  nothing about secret choices. The first two seconds of a turn are free, and bots have no clock.
* Clocks start when everyone has arrived.
* While clocks run, a server stores every 20 seconds that it is running. Time without a server isn't counted, and after
  a restart everyone has a minute to come back.
* The column `tables.due`, which is indexed, says when the next timer of a table fires.
* A player is away when their page is closed or silent while it is their turn. The weakest searching bot plays for them
  until they return or have lost.
* A player can give up in every game. The match ends when fewer than two seats or no people are left.
* Draws and pauses need everyone's consent, lapse when a player who hasn't agreed ends a turn, and can fail three times
  per seat. Bots accept every pause. They accept a draw after ten choices per seat if the public state doesn't put them
  ahead (`progress` in the game's `items`).
"""
