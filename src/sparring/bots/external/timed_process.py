"""Exchange lines with a process under a time limit; kill and restart it when it fails."""

import atexit
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from sparring.engine.errors import BadBot, SparringError

#: The environment variable with a bot's seconds per action, its default and its maximum.
SECONDS = "SPARRING_BOT_SECONDS"
DEFAULT_SECONDS = 2.0
MAX_SECONDS = 60.0

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
    text = os.environ.get(SECONDS, str(DEFAULT_SECONDS))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.05 <= seconds <= MAX_SECONDS:
        raise BadBot(f"{SECONDS} must be a number of seconds from 0.05 to {MAX_SECONDS:g}, not {text or 'empty'}.")
    return seconds


class TimedProcess:
    """A process that starts with the first question and ends when this process ends. Its stderr is discarded."""

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
        try:
            return subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
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
