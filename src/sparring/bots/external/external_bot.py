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
TAKEN = {"random", "search", "plain", "mix", "stand-in", "pipe", "piped", "me", "open"}

PIPE = "pipe:"

Array = np.ndarray[Any, Any]


class ProcessReply(msgspec.Struct):
    """The answer of a bot's process: the number or words of an action, or what went wrong."""

    choice: int | str | None = None
    problem: str = ""


@dataclass(frozen=True)
class ExternalBot(Bot):
    """A bot that chooses in its own process, which serves all of its matches."""

    command: tuple[str, ...] = ()
    #: Whether it also gets the words of actions and the table as text, because it cannot call the game's code.
    foreign: bool = False

    @property
    def plays_compiled(self) -> bool:
        """Always false: the bot runs in another process."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """Return the bot's action; raises BotFailed if it returns none."""
        if len(view.legal) == 1 and not even:
            return BotChoice(view.legal[0], view)
        process = _process(self.command)
        try:
            said = self._said(process, {**self._told(view), "random": _number(stream)})
            return BotChoice(_chosen(view, said), view)
        except ProcessFailed as failed:
            shown = str(failed).partition(":")[0]
            raise BotFailed(f"{self.title} {shown}.", str(failed)) from None

    def _told(self, view: View) -> dict[str, Any]:
        return {**as_data(view), **(in_words(view) if self.foreign else {})}

    def _said(self, process: TimedProcess, question: dict[str, Any]) -> ProcessReply:
        line = process.ask(msgspec.json.encode(question) + b"\n")
        try:
            return msgspec.json.decode(line, type=ProcessReply)
        except msgspec.MsgspecError:
            process.stop()  # its next line would be taken for the answer to another question
            raise ProcessFailed(f"sent an invalid answer: {line[:80].decode(errors='replace').strip()}") from None


def _chosen(view: View, said: ProcessReply) -> int:
    """Return the legal action that an answer names."""
    if said.problem:
        raise ProcessFailed(f"stopped with an error: {said.problem}")
    if isinstance(said.choice, str):
        try:
            return read_choice(view.box, view.state, list(view.legal), said.choice)
        except ChoiceError as refused:
            raise ProcessFailed(f"chose an illegal action: {refused}") from None
    if said.choice not in view.legal:
        raise ProcessFailed(f"chose an illegal action: number {said.choice}")
    return said.choice


def _number(stream: Array) -> int:
    """Return a random seed for the bot, hashed so that the seed of the match cannot be recovered from it."""
    chance.bits(stream)
    return int.from_bytes(hashlib.blake2b(stream.tobytes(), digest_size=4).digest(), "little")


@cache
def _process(command: tuple[str, ...]) -> TimedProcess:
    return TimedProcess(command)


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the bots that installed packages add, sorted by name."""
    found = {point.name: point for point in entry_points("sparring.bots")}
    return {name: found[name] for name in sorted(found) if NAME.fullmatch(name) and name not in TAKEN}


def named(name: str) -> ExternalBot | None:
    """Return the installed bot of that name; None if there is none."""
    if name not in installed():
        return None
    title = f"{name.replace('-', ' ').capitalize()} bot"
    return ExternalBot(name, title, command=(sys.executable, "-m", f"{__package__}.host", name))


def piped(text: str) -> ExternalBot:
    """Return a bot that is a program talking JSON lines, from the command that starts it. Raises BadBot."""
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
    return ExternalBot(text, "Piped bot", command=tuple(command), foreign=True)
