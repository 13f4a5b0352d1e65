"""Exchange lines with a process under a time limit; kill and restart it when it fails."""

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from sparring.engine.errors import BadBot, SparringError

#: The environment variable with a bot's seconds per action, its default and its maximum.
SECONDS = "SPARRING_BOT_SECONDS"
DEFAULT_SECONDS = 2.0
MAX_SECONDS = 60.0

#: The environment variable with the megabytes of memory that a bot and its children may use, and its default.
MEMORY = "SPARRING_BOT_MEMORY"
DEFAULT_MEMORY = 2000.0

#: Extra time for the first answer, in which the process starts (s).
STARTUP_SECONDS = 8.0

#: The maximum length of an answer (bytes).
MAX_ANSWER = 10_000


class BotFailed(SparringError):
    """A bot failed to choose. The message is public; `why` is only for the bot's author.

    The reason may contain what only the bot's seat knows, such as a card in an error message.
    """

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why

    def __reduce__(self) -> tuple[type["BotFailed"], tuple[str, str]]:
        """Keep `why` when pickled between processes."""
        return BotFailed, (str(self), self.why)


class ProcessFailed(Exception):
    """A process failed to answer; the message completes a sentence, as in `did not answer in time`."""


def time_limit() -> float:
    """Return the seconds a bot has per action. Raises BadBot if the environment variable is invalid."""
    return _limit(SECONDS, "seconds", DEFAULT_SECONDS, 0.05, MAX_SECONDS)


def memory_limit() -> int:
    """Return the megabytes of memory a bot may use. Raises BadBot if the environment variable is invalid."""
    return int(_limit(MEMORY, "megabytes", DEFAULT_MEMORY, 10, 1_000_000))


def _limit(variable: str, unit: str, default: float, least: float, most: float) -> float:
    text = os.environ.get(variable, str(default))
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not least <= number <= most:
        raise BadBot(f"{variable} must be a number of {unit} from {least:g} to {most:,g}, not {text or 'empty'}.")
    return number


class TimedProcess:
    """A process that starts with the first question, and ends with its children when this process ends.

    Its stderr is discarded.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        #: Writes the last question and reads its answer; either may block for ever.
        self._exchange = Thread()
        atexit.register(self.stop)

    def ask(self, question: bytes) -> bytes:
        """Send a line and return the line that comes back. Raises ProcessFailed if none arrives in time."""
        seconds = time_limit()
        if self._process is None or self._process.poll() is not None:
            self._process, seconds = self._start(), seconds + STARTUP_SECONDS
        answers = SimpleQueue[bytes]()
        self._exchange = Thread(target=_exchange, args=(self._process, question, answers), daemon=True)
        self._exchange.start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            self.stop()
            raise ProcessFailed("did not answer in time") from None
        if not answer.endswith(b"\n"):
            self.stop()
            raise ProcessFailed("sent an answer that is too long" if answer else "exited without an answer")
        return answer

    def stop(self) -> None:
        """Kill the process and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:  # otherwise another process may have its id by now
            with suppress(OSError):
                if os.name == "posix":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
        process.wait()
        if self._exchange.is_alive():
            self._exchange.join(1.0)
        if not self._exchange.is_alive():  # closing a pipe in use would block
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]

    def _start(self) -> subprocess.Popen[bytes]:
        self.stop()
        leader = sys.executable, "-I", "-S", str(Path(__file__).with_name("group_leader.py"))
        lead = (*leader, str(os.getpid()), str(memory_limit())) if os.name == "posix" else ()
        try:
            return subprocess.Popen(
                (*lead, *self._command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as problem:
            raise ProcessFailed(f"could not be started: {problem.strerror or problem}") from None


def _exchange(process: subprocess.Popen[bytes], question: bytes, answers: SimpleQueue[bytes]) -> None:
    """Write a question and put the answer into the queue: an empty line if the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question)
        process.stdin.flush()
        answers.put(process.stdout.readline(MAX_ANSWER))
    except (OSError, ValueError):
        answers.put(b"")
