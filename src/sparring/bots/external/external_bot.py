"""External bots: run a bot class or a program in its own process."""

import hashlib
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any

import msgspec
import numpy as np

from sparring.bots.bot import Bot, BotChoice
from sparring.engine import chance
from sparring.engine.errors import BadBot, ChoiceError
from sparring.engine.formats.choice_parser import read_choice
from sparring.engine.plugins import entry_points
from sparring.engine.views import View

from .timed_process import BotFailed, ProcessFailed, TimedProcess
from .view_data import as_data, in_words

#: Valid names of external bots, and reserved names.
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
RESERVED = {"random", "search", "plain", "mix", "stand-in", "pipe", "piped", "me", "open"}

PIPE = "pipe:"

Array = np.ndarray[Any, Any]


class ProcessReply(msgspec.Struct):
    """A reply of a bot's process: the number or the words of an action, or an error."""

    choice: int | str | None = None
    problem: str = ""


@dataclass(frozen=True)
class ExternalBot(Bot):
    """A bot in its own process, which is shared by all matches with this bot."""

    #: The command that starts the process.
    command: tuple[str, ...] = ()
    #: Whether requests also contain the words of actions and the table as text, because it cannot call the game's code.
    gets_words: bool = False

    @property
    def plays_compiled(self) -> bool:
        """Always false: the bot runs in another process."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """Ask the process for an action. Raises BotFailed if it does not send a legal one in time."""
        if len(view.legal) == 1 and not even:
            return BotChoice(view.legal[0], view)
        process = _process(self.command)
        try:
            reply = self._ask(process, {**self._question(view), "random": _bot_seed(stream)})
            return BotChoice(_legal_action(view, reply), view)
        except ProcessFailed as failed:
            public_part = str(failed).partition(":")[0]
            raise BotFailed(f"{self.title} {public_part}.", str(failed)) from None

    def _question(self, view: View) -> dict[str, Any]:
        return {**as_data(view), **(in_words(view) if self.gets_words else {})}

    def _ask(self, process: TimedProcess, question: dict[str, Any]) -> ProcessReply:
        line = process.ask(msgspec.json.encode(question) + b"\n")
        try:
            return msgspec.json.decode(line, type=ProcessReply)
        except msgspec.MsgspecError:
            process.stop()  # its next line would be taken for the answer to another question
            raise ProcessFailed(f"sent an invalid answer: {line[:80].decode(errors='replace').strip()}") from None


def _legal_action(view: View, reply: ProcessReply) -> int:
    """Return the legal action that a reply names. Raises ProcessFailed."""
    if reply.problem:
        raise ProcessFailed(f"stopped with an error: {reply.problem}")
    if isinstance(reply.choice, str):
        try:
            return read_choice(view.box, view.state, list(view.legal), reply.choice)
        except ChoiceError as refused:
            raise ProcessFailed(f"chose an illegal action: {refused}") from None
    if reply.choice not in view.legal:
        raise ProcessFailed(f"chose an illegal action: number {reply.choice}")
    return reply.choice


def _bot_seed(stream: Array) -> int:
    """Return a random seed for the bot, hashed so that the seed of the match cannot be recovered from it."""
    chance.bits(stream)
    return int.from_bytes(hashlib.blake2b(stream.tobytes(), digest_size=4).digest(), "little")


@cache
def _process(command: tuple[str, ...]) -> TimedProcess:
    return TimedProcess(command)


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the entry points of installed bots by name, sorted."""
    found = {point.name: point for point in entry_points("sparring.bots")}
    return {name: found[name] for name in sorted(found) if NAME.fullmatch(name) and name not in RESERVED}


def find_bot(name: str) -> ExternalBot | None:
    """Return the installed bot of that name; None if there is none."""
    if name not in installed():
        return None
    title = f"{name.replace('-', ' ').capitalize()} bot"
    return ExternalBot(name, title, command=(sys.executable, "-m", f"{__package__}.host", name))


def pipe_bot(text: str) -> ExternalBot:
    """Return a bot for a program that exchanges JSON lines; `text` is `pipe:` and its command. Raises BadBot."""
    try:
        command = shlex.split(text.removeprefix(PIPE))
    except ValueError:
        raise BadBot(
            f"This command has an opening quotation mark but no closing one: {text.removeprefix(PIPE)}"
        ) from None
    if not command:
        raise BadBot("pipe: needs a command that starts the bot, as in pipe:python3 my_bot.py.")
    if not shutil.which(command[0]):
        raise BadBot(f"The program {command[0]} is not on the PATH.")
    return ExternalBot(text, "Piped bot", command=tuple(command), gets_words=True)
