"""Random matches of a game, with every access to an array checked."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys
import numba
from sparring.engine.game import game
from sparring.engine.laws import check_audit, settings
assert numba.config.BOUNDSCHECK
name, matches, options = sys.argv[1:]
found = game(name)
for seats, chosen in settings(found):
    check_audit(found.box({**chosen, **json.loads(options)}), seats, int(matches), 7)
"""


def check_bounds(name: str, matches: int, **options: int) -> None:
    """Play so many audited matches of every setting in a process whose machine code checks its bounds.

    That finds the same however much is optimised, so nothing is: it takes half the time to compile.
    """
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}
    command = [sys.executable, "-c", PROGRAM, name, str(matches), json.dumps(options)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
