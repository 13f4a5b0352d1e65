"""Run a bot's command and end it with all its children: `python group_leader.py PARENT MEGABYTES COMMAND ...`.

All end when the command exits, when the parent process has ended, even by SIGKILL, or when they use more memory than
this together (on Linux). The command inherits the process group, input and output. POSIX only.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

#: How often to look at the parent and the memory (seconds).
EVERY = 0.5


def main() -> None:
    """Start the command, and watch it."""
    parent, megabytes, *command = sys.argv[1:]
    signal.signal(signal.SIGCHLD, lambda *_: end_if_exited())
    if not os.fork():
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    os.close(0)
    os.close(1)  # otherwise the end of the bot's output would go unnoticed
    while os.getppid() == int(parent) and memory_of_group() <= int(megabytes) * 1_000_000:
        time.sleep(EVERY)
    end()


def end_if_exited() -> None:
    """End the group if the command has exited, not if it was stopped."""
    if os.waitpid(-1, os.WNOHANG)[0]:
        end()


def end() -> None:
    """Kill the group, this process included."""
    os.killpg(0, signal.SIGKILL)


def memory_of_group() -> int:
    """Return how many bytes of memory the processes of this group use; 0 if the system doesn't say."""
    pages, group = 0, str(os.getpgrp()).encode()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may have just ended
            fields = stat.read_bytes().rpartition(b")")[2].split()  # a name may contain blanks and brackets
            pages += int(fields[21]) if fields[2] == group else 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
