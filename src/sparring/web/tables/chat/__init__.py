"""Chat: preset phrases, free text, and descriptions of moves.

`ChatActions` (`chat_actions.py`) posts, mutes and reports; a table's `ChatLog` (`chat_log.py`) holds its `ChatLine`s;
a `ChatFilter` says what one person sees of them; `chat_panel.py` renders them.

What must hold:

* Chat is stored beside the match and changes no version, so a chat line never makes a choice stale.
* Each line carries the edition of the log in which it last changed. Streams, reloaded pages and programs ask for
  everything since the edition they know. Lines are never deleted: a removed one keeps its number.
* Free text is one line of at most 200 characters, without control, invisible or direction-changing characters, and
  with at most three combining marks per letter. Every text gets its own element, so that it can't affect its
  surroundings (`quoting.py`).
* Mutes belong to a person and apply at every table.
* A report keeps a copy of the text until the operator or a moderator settles it, and 90 days longer.
* A move can be described at a beat whose public view has `deeds`, the game's names for the moves. Exchanges are
  counted from what spectators see.
"""
