"""Load test: how quickly choices are answered while many tables play, with a real server and socket clients.

An answer counts when the choice is stored and acknowledged, and the table's new state has arrived on the event stream.
The number of answers per second of the server's CPU time shows the capacity of a core, even on a busy machine.
`python -m benchmarks.load` (`make load`) adds tables step by step, and reports the first limit that is reached.
"""

from .measuring import GAME, SECONDS, THINK, Load, measure

__all__ = ["GAME", "SECONDS", "THINK", "Load", "measure"]
