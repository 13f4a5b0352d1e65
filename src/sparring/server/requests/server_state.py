"""The state of the application: the parts of the server that requests share, by name."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Protocol, cast

from litestar import Litestar
from litestar.datastructures import State

from sparring.monitoring import FaultLog, Loops, Overload
from sparring.people.accounts import Accounts
from sparring.people.api_tokens import Tokens
from sparring.people.emails import EmailAddresses
from sparring.people.identity import IdentityCookie
from sparring.people.rate_limits import RateLimit
from sparring.server.database_watch import DatabaseBound, Probe
from sparring.server.protocol import ConnectionLimits
from sparring.server.requests.middleware import LanguageOf, StreamLimits
from sparring.store.moderation import BanList
from sparring.store.ratings import StreakStore
from sparring.store.retention import Retention
from sparring.tables.friends import Friends
from sparring.tables.lobby import Lobby
from sparring.tables.tables import Tables
from sparring.tables.workers.worker_pool import WorkerPool

from .middleware import CookieNames, RequestMeter
from .pages import PageRenderer


class JobWorkers(Protocol):
    """The workers that a queue of jobs reaches: whether it is connected, and how many jobs they do at once."""

    connected: bool
    places: int


class ServerState(State):
    """What handlers of pages and of the API share. `create_app` sets the first part, its startup the second."""

    identity_cookie: IdentityCookie
    #: The host names that this server answers to, the address of its static files, and the operator's texts.
    host_names: frozenset[str]
    static: str
    texts: Mapping[str, Any]
    connections: ConnectionLimits
    streams: StreamLimits
    #: The rate limit of all requests.
    request_limit: RateLimit
    faults: FaultLog
    meter: RequestMeter
    renderer: PageRenderer
    #: The language of a request: the only place that sets it.
    language_of: LanguageOf
    #: None if the server does all jobs itself.
    job_queue: JobWorkers | None

    loops: Loops
    bot_pool: WorkerPool
    tables: Tables
    bans: BanList
    retention: Retention
    probe: Probe
    database_bound: DatabaseBound
    overload: Overload
    lobby: Lobby
    streaks: StreakStore
    tokens: Tokens
    accounts: Accounts
    email_addresses: EmailAddresses
    cookie_names: CookieNames
    friends: Friends


#: Returns the state of an application.
server_state = cast("Callable[[Litestar], ServerState]", attrgetter("state"))
