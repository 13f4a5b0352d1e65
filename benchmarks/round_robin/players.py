"""Players, who choose by what a stream or a page of some process shows, and sometimes do something else."""

import random
import re
from collections.abc import Sequence

from .people import Json, Person, Step
from .streams import HAND, EventStream

#: How a scene marks the seat whose turn it is.
TURN = re.compile(r"^> *(\d+)", re.MULTILINE)
#: How likely people are to do something else before a choice.
CHAT, HINT, PROPOSE, TAKE_BACK, ASK_BACK, PEEK = 0.05, 0.2, 0.02, 0.15, 0.05, 0.3
#: The most chat lines of a person: servers allow twelve in a short time.
MOST_LINES = 10
#: How likely they are to agree.
AGREE = {"draw": 0.2, "pause": 0.9, "take-back": 0.7}
#: Why a proposal or an answer may be refused: the rules, or the other player was faster.
NOT_PROPOSED = "is over|open proposal|the limit for one match|can ask to take back|draw|paused"
NOT_ANSWERED = "no longer open|can't be taken back any more|is over"


class Player:
    """A person with a seat; seats of a shared screen are of one person."""

    def __init__(self, person: Person, seats: Sequence[int], ports: Sequence[int], rng: random.Random) -> None:
        self.person, self.table, self.seats = person, person.table, seats
        self._ports, self._rng = ports, rng
        self.stream = EventStream(person, rng, shared=len(seats) > 1)
        #: The version of the last acknowledged action, and whether this player waits for an answer to a proposal.
        self._acknowledged, self._asking = 0, False
        self.table.seats |= {*seats}
        self.table.automatic |= set() if person.every_choice else {*seats}

    async def play(self) -> None:
        """Play until the match is over."""
        while True:
            by_stream = self.stream.latest and not self._asking and self.stream.version >= self._acknowledged
            page = {} if by_stream and self._rng.random() < 0.5 else await self.look()
            seen = page or self.stream.latest
            if seen["over"]:
                return
            if await self._do_something_else(page):
                continue
            if seen["is_turn"] and not self._asking:
                await self._choose(seen, self.seats[0])
            elif await self.stream.reach(seen["version"]):
                await self.stream.wait(0.3 if self._asking else 2)

    async def look(self, port: int = 0) -> Json:
        """Return the page of the table, which must not be older than what this person has seen and done."""
        seen = 0 if self.stream.shared else max(self._acknowledged, self.stream.version)
        page: Json = await self.person.get(f"/table/{self.table.id}", port)
        if page["version"] < seen:
            self.person.violated(f"got a page of version {page['version']} after {seen}")
        return page

    async def act(self, action: str, body: Json, refusals: str = "") -> Json | None:
        """Carry out an action; return the answer, or None if it was refused."""
        answer = await self.person.post(f"/table/{self.table.id}/{action}", body, refusals)
        if answer:
            self._acknowledged = max(self._acknowledged, answer.get("version", 0))
            self.table.count(f"{action}: accepted")
        return answer

    async def _step(self, step: Step, action: str, body: Json, refusals: str = "") -> bool:
        """Carry out an action that changes the match; return whether it did.

        Steps are in the order in which they were sent: people send the next one when they see the one before it.
        """
        self.table.steps.append(step)
        done = bool(await self.act(action, body, refusals))
        if not done:
            self.table.steps.remove(step)
        return done

    async def _choose(self, seen: Json, seat: int) -> None:
        choices = [each["choice"] for each in seen["choices"] if not each["concedes"]]
        action = self._rng.choice(choices or [each["choice"] for each in seen["choices"]])
        # A page read between a choice and the automatic one after it asks for the latter.
        automatic = len(choices) == 1 and not self.person.every_choice
        refusals = "has changed since you last saw it" if automatic else ""
        await self._step(Step(seat, action), "choose", {"version": seen["version"], "choice": action}, refusals)

    async def _do_something_else(self, page: Json) -> bool:
        """Sometimes chat, or do something that a page offers besides choices; return whether the latter was done."""
        if self._rng.random() < CHAT and len(self.table.said.get(self.person.name, ())) < MOST_LINES:
            await self._say()
        if not page:
            return False
        turn, time, seen = page["is_turn"], page["time"], {"version": page["version"]}
        if time["proposal"]:
            self._asking = time["by"] in self.seats
            return not self._asking and await self._answer(time["proposed"], time["proposal"], time["by"])
        if time["paused"]:
            return self._asking and bool(await self.act("go-on", {}))
        self._asking = False
        no_bots = len(page["seats"]) == len(self.table.seats)
        if turn and no_bots and page["may_take_back"] and self._rng.random() < TAKE_BACK:
            return await self._step(Step(self.seats[0], None), "take-back", seen)
        if turn and page["settings"].get("hints") and not page["hint"] and self._rng.random() < HINT:
            return bool(await self.act("hint", seen, "too many hints"))
        proposes = no_bots and len(self.table.seats) == 2 and self._rng.random() < (PROPOSE if turn else ASK_BACK)
        return proposes and await self._propose(turn)

    async def _propose(self, turn: bool) -> bool:
        """Propose a draw or a pause, and wait for the answer; out of turn, ask to take back the last choice."""
        what = self._rng.choice(["draw", "pause"]) if turn else "take-back"
        self._asking = bool(await self.act("propose", {"what": what}, NOT_PROPOSED))
        return self._asking

    async def _answer(self, what: str, proposal: str, by: int) -> bool:
        agree = self._rng.random() < AGREE[what]
        body = {"agree": agree, "proposal": proposal}
        if agree and what == "take-back":
            return await self._step(Step(by, None, agreed=True), "answer", body, NOT_ANSWERED)
        return bool(await self.act("answer", body, NOT_ANSWERED))

    async def _say(self) -> None:
        said = self.table.said.setdefault(self.person.name, [])
        text = f"{self.person.name} {len(said) + 1}"
        if await self.act("chat", {"text": text}):
            said.append(text)


class SharedScreen(Player):
    """Two players at one screen, who hide their hands from each other."""

    async def play(self) -> None:
        """Play until the match is over."""
        while not (page := await self.look())["over"]:
            found = TURN.search(page["scene"])
            turn = int(found[1]) if found else 0
            if page["is_turn"]:
                await self._choose(page, page["seat"])
            elif not page["seat"] and (turn in self.seats or self._rng.random() < PEEK):
                await self._show(turn)
            if self._rng.random() < PEEK:
                await self._hide()
            elif turn not in self.seats:
                await self.stream.wait(1)

    async def _show(self, turn: int) -> None:
        """Show the hand of the seat whose turn it is; in another player's turn, any: it may end at this moment."""
        self.stream.hands_shown()
        if turn in self.seats:
            await self.act("screen", {"seat": turn})
        else:
            await self.act("screen", {"seat": self._rng.choice(self.seats)}, "only give the screen")

    async def _hide(self) -> None:
        """Hide all hands once the stream shows one; then no process may show any."""
        while not self.stream.shows_hand:
            if not (await self.look())["seat"]:
                return
            await self.stream.wait(1)
        if not await self.act("screen", {"seat": 0}):
            return
        self.stream.hands_hidden()
        for number, port in enumerate(self._ports, 1):
            page = await self.look(port)
            if page["seat"] or HAND in page["scene"]:
                self.person.violated(f"got a page of process {number} that shows a hand after all were hidden")
        if self._rng.random() < 0.5:
            self.stream.reconnect()
        await self.stream.until(lambda: self.stream.hidden, "doesn't hide a hand")
        await self.stream.wait(0.5)
