"""One table in memory: its match, clocks, chat, seats and hints, and what each viewer may see of it.

`Table` (`table.py`) has one `PlayerFeed` per viewer; `SeatedTable` (`players.py`), its base, says who sits where and
sees what, and `Presence` who is connected. `ClockState` (`clock_state.py`) is one frozen struct, written with
the choice that changed it; `clock_events.py` says how choices, arrivals and absences change it; `EarlyEnding` says who
left the match and why. `ChatLog` (`chat_log.py`) holds `ChatLine`s. Nothing here writes to the database.
"""
