"""How quickly a choice is answered while many tables play: a real server, and people made of plain sockets.

An answer counts when the choice is stored and acknowledged, and the new state of the table has arrived by the stream.
How many there are to a second of the server's own processor time says what a core can do, also on a busy machine.
`python -m sparring.web.load` (`make load`) asks more and more people, and says which limit was met first.
"""

from .measuring import GAME, SECONDS, THINK, Load, measure

__all__ = ["GAME", "SECONDS", "THINK", "Load", "measure"]
