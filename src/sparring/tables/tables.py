"""The tables of a server: its parts, each with one subject, and how they depend on each other."""

from sparring.people.rate_limits import RateLimits
from sparring.settings import Settings
from sparring.store.database import Database
from sparring.store.finished_matches import ResultStore
from sparring.store.invitations import HalfStore
from sparring.store.moderation import BanList, BanStore
from sparring.store.studio import SetStore
from sparring.store.table_lists import ListStore
from sparring.tables.play.timers import TableTimers

from .creation import TableCreation
from .halves import TableHalves
from .play.bot_turns import BotTurns, HintActions
from .play.chat_actions import ChatActions
from .play.choice_actions import ChoiceActions, ClockActions
from .play.commits import TableCommits
from .play.moderation import Departures, Moderation
from .play.other_processes import ChangeListener
from .play.proposals import Proposals
from .play.registry import TableRegistry
from .seating import TableSeating
from .workers.bot_players import BotPlayers


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
        self.listener = ChangeListener(self.registry)
        self.commits = TableCommits(self.registry, self.rate_limits)
        self.bots = BotTurns(self.commits, players)
        self.clocks = ClockActions(self.commits, self.bots)
        self.proposals = Proposals(self.commits, self.bots)
        self.departures = Departures(self.commits)
        self.timers = TableTimers(self.registry, self.clocks.handle_timer)
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
