"""The state of the application: the parts of the server that requests share, by name."""

from collections.abc import Mapping
from typing import Any, Protocol, cast

from litestar import Litestar
from litestar.datastructures import State

from sparring.web.accounts.accounts import Accounts
from sparring.web.accounts.email_addresses import EmailAddresses
from sparring.web.api_tokens import Tokens
from sparring.web.bots.worker_pool import WorkerPool
from sparring.web.friends.friends import Friends
from sparring.web.identity import IdentityCookie
from sparring.web.monitoring.fault_log import FaultLog
from sparring.web.monitoring.loops import Loops
from sparring.web.monitoring.overload import Overload
from sparring.web.monitoring.request_meter import RequestMeter
from sparring.web.security.ban_list import BanList
from sparring.web.security.connections import ConnectionLimits
from sparring.web.security.rate_limits import RateLimit
from sparring.web.security.streams import StreamLimits
from sparring.web.storage import StreakStore
from sparring.web.storage.retention import Retention
from sparring.web.tables.database_size import DatabaseBound
from sparring.web.tables.lobby import Lobby
from sparring.web.tables.tables import Tables

from .cookie_names import CookieNames
from .page_renderer import PageRenderer
from .probe import Probe


class JobWorkers(Protocol):
    """The workers that a queue of jobs reaches: whether it is connected, and how many jobs they do at once."""

    connected: bool
    places: int


class ServerState(State):
    """What handlers of pages and of the API share. `create_app` sets the first part, its startup the second."""

    identity_cookie: IdentityCookie
    #: The names that this server answers to, the address of its static files, and the operator's texts.
    names: frozenset[str]
    static: str
    texts: Mapping[str, Any]
    connections: ConnectionLimits
    streams: StreamLimits
    #: The rate limit of all requests.
    requests: RateLimit
    faults: FaultLog
    meter: RequestMeter
    renderer: PageRenderer
    #: None if the server does all jobs itself.
    job_queue: JobWorkers | None

    loops: Loops
    bot_pool: WorkerPool
    tables: Tables
    bans: BanList
    retention: Retention
    probe: Probe
    bound: DatabaseBound
    overload: Overload
    lobby: Lobby
    streaks: StreakStore
    tokens: Tokens
    accounts: Accounts
    addresses: EmailAddresses
    cookie_names: CookieNames
    friends: Friends


def server_state(app: Litestar) -> ServerState:
    """Return the state of an application."""
    return cast("ServerState", app.state)
