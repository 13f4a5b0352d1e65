"""Time at a table: clocks, absence, pauses, proposals and early endings.

`ClockState` (`clock_state.py`) is one frozen struct, written with the choice that changed it; `clock_events.py` says
how choices, arrivals and absences change it; `EarlyEnding` says who left the match and why; `clock_panel.py` renders
all this. `ClockActions` (`clock_actions.py`) commits it, and `TableTimers` (`timers.py`) fires the timers.

What must hold:

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
  ahead (`ahead` in the game's `items.py`).
"""
