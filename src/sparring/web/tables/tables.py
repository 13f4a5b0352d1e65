"""The tables of a server: its parts, each with one subject, and how they depend on each other."""

from sparring.web.bots.bot_players import BotPlayers
from sparring.web.security.ban_list import BanList
from sparring.web.security.rate_limits import RateLimits
from sparring.web.settings import Settings
from sparring.web.storage import BanStore, Database, HalfStore, ListStore, ResultStore, SetStore

from .bot_turns import BotTurns
from .chat.chat_actions import ChatActions
from .choice_actions import ChoiceActions
from .clocks.clock_actions import ClockActions
from .clocks.departures import Departures
from .clocks.timers import TableTimers
from .commits import TableCommits
from .creation import TableCreation
from .halves import TableHalves
from .hints.hint_actions import HintActions
from .moderation import Moderation
from .registry import TableRegistry
from .seats.seating import TableSeating


class Tables:
    """What pages and API need to play at tables."""

    def __init__(self, settings: Settings, store: Database, players: BotPlayers) -> None:
        self.settings = settings
        self.store = store
        self.rate_limits = RateLimits(settings.limits, settings.secret, settings.now)
        self.lists = ListStore(store)
        self.results = ResultStore(store)
        self.bans = BanList(BanStore(store).all)

        self.registry = TableRegistry(settings, store)
        self.commits = TableCommits(self.registry, self.rate_limits)
        self.bots = BotTurns(self.commits, players)
        self.clocks = ClockActions(self.commits, self.bots)
        self.departures = Departures(self.commits)
        self.timers = TableTimers(self.registry, self.commits.due_times, self.clocks.handle_timer)
        self.choices = ChoiceActions(self.commits, self.clocks, self.bots)
        self.seating = TableSeating(self.commits, self.bots)
        self.hints = HintActions(self.commits, self.bots, self.rate_limits)
        self.chat = ChatActions(self.commits, self.rate_limits, self.bans)
        self.moderation = Moderation(self.commits)
        self.creation = TableCreation(self.commits, self.seating, self.lists, self.rate_limits)
        self.halves = TableHalves(self.creation, SetStore(store), HalfStore(store))

    async def close(self) -> None:
        """Stop the bots, record the time for the clocks, and end all event streams."""
        self.registry.refuse_all()
        await self.bots.close()
        await self.timers.close()
        await self.registry.close()
