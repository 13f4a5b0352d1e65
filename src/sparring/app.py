"""Create the web application from its settings, with one database, one table registry, and the bots' processes."""

import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar
from litestar.datastructures import CacheControlHeader, State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig

from sparring.engine.errors import SparringError
from sparring.engine.messages import say
from sparring.engine.texts import departures, summary
from sparring.monitoring import LONG_PAUSE, FaultLog, Loops, Overload, Work
from sparring.people.accounts import Accounts
from sparring.people.api_tokens import Tokens
from sparring.people.emails import EmailAddresses
from sparring.people.identity import COOKIE, DEVICE, GUEST, IdentityCookie
from sparring.people.notifications import Dispatcher
from sparring.people.rate_limits import HOUR, KINDS, LASTING, RateLimit, SharedRateLimits
from sparring.routes import routers
from sparring.server.api.responses import TOKEN, ChoiceInSchema, DescribedSchema
from sparring.server.database_watch import DatabaseBound, Probe
from sparring.server.protocol import ConnectionLimits
from sparring.server.requests.errors import refuse, refuse_bytes, refuse_depth, refuse_http, report_bug
from sparring.server.requests.health import report_of
from sparring.server.requests.identity import CurrentPerson, authorize, provide_person
from sparring.server.requests.middleware import (
    CookieNames,
    GuardedApplication,
    LanguageOf,
    RequestMeter,
    StreamLimits,
    english,
    own_names,
)
from sparring.server.requests.pages import PageRenderer
from sparring.server.requests.server_state import ServerState
from sparring.settings import Settings
from sparring.settings.server import SteadyClock
from sparring.site import texts
from sparring.site.account_pages.personal_data import PersonalData
from sparring.site.pages.puzzle_pages import has_puzzles
from sparring.site.pages.site_pages import read_texts
from sparring.site.replay.moment_requests import TimelineSandbox
from sparring.site.replay.replay_routes import ReplayContext, provide_subject
from sparring.site.replay.review_jobs import MatchReview, MatchReviews
from sparring.site.replay.stored_matches import MatchLines, UploadedRecords
from sparring.store.accounts import AccountStore, RecoveryStore, TokenStore
from sparring.store.database import Database
from sparring.store.finished_matches import ReplayStore
from sparring.store.friends import FriendStore
from sparring.store.invitations import ChallengeStore
from sparring.store.notifications import MailStore, OutboxStore
from sparring.store.personal_data import PersonalDataStore
from sparring.store.processes import ProcessReportStore, ProcessStore, RateLimitStore, SharedJobs
from sparring.store.ratings import StreakStore
from sparring.store.retention import Retention
from sparring.store.studio import SetStore
from sparring.studio.jobs.job_service import StudioJobs
from sparring.studio.picture_pad import provide_set
from sparring.studio.sets import StudioSets
from sparring.tables.friends import Friends
from sparring.tables.lobby import Lobby, is_turn_of
from sparring.tables.play.other_processes import PresenceExchange
from sparring.tables.tables import Tables
from sparring.tables.workers.bot_players import BotPlayers, ProcessBotPlayers
from sparring.tutorials import has_lesson

if TYPE_CHECKING:
    from sparring.tables.workers.job_queue import JobQueue

SITE = Path(__file__).parent / "site"
#: Folders of static files, which all have one address.
STATIC = (SITE / "static", Path(__file__).parent / "scene" / "styles")


class AppState(ServerState):
    """The state of the application, with the parts above `requests`."""

    personal_data: PersonalData
    replays: ReplayContext
    sets: StudioSets
    studio_jobs: StudioJobs
    shared_rate_limits: SharedRateLimits


#: The parts of the application's state that route handlers can ask for by name.
SERVICES = (
    "accounts", "personal_data", "tables", "lobby", "sets", "studio_jobs", "replays", "friends", "streaks", "renderer",
)  # fmt: skip

#: Awaited by a spare process that is ready, until it may join the other processes of its server.
StandBy = Callable[[Litestar], Awaitable[None]]


def create_app(
    settings: Settings,
    players: BotPlayers | None = None,
    standing_by: StandBy | None = None,
    language_of: LanguageOf = english,
) -> Litestar:
    """Return the application.

    Without `players`, bots run in their own processes, which compile their code first. The application awaits
    `standing_by` at startup, before it joins the other processes of its server. `language_of` chooses the language of
    each request.
    """
    static = f"/static/{fingerprint(*STATIC)}"
    names = own_names((*settings.names, urlsplit(settings.friends).hostname or ""))
    return GuardedApplication(
        route_handlers=[
            *routers(),
            create_static_files_router(
                path=static, directories=[*STATIC], include_in_schema=False,
                cache_control=CacheControlHeader(max_age=31_536_000, public=True, immutable=True),
            ),
        ],
        dependencies={
            "person": Provide(provide_person), "loaded": Provide(provide_set), "subject": Provide(provide_subject),
            **{name: _provide(name) for name in SERVICES},
        },
        lifespan=[_lifespan(settings, players, standing_by)],
        state=AppState({
            "identity_cookie": IdentityCookie(settings.secret, settings.older_secrets), "host_names": names,
            "static": static, "texts": read_texts(settings), "job_queue": None,
            "connections": ConnectionLimits(settings.limits, settings.proxy),
            "faults": FaultLog(), "meter": RequestMeter(settings),
            "streams": StreamLimits(settings.limits), "renderer": PageRenderer(), "language_of": language_of,
            "request_limit": RateLimit(
                settings.limits.requests_at_once, settings.limits.requests_each_second * int(HOUR),
                people=settings.limits.people_per_address,
            ),
        }),
        exception_handlers={
            SparringError: refuse, HTTPException: refuse_http, RecursionError: refuse_depth,
            UnicodeDecodeError: refuse_bytes, Exception: report_bug,
        },
        before_request=authorize,
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(_templates(static))),
        openapi_config=OpenAPIConfig(
            "Sparring", "1", path="/schema", render_plugins=[DescribedSchema()], use_handler_docstrings=True,
            components=Components(security_schemes={"token": TOKEN}),
        ),
        request_max_body_size=settings.longest_body,
        plugins=[ChoiceInSchema()],
        logging_config=None,
    )  # fmt: skip


def fingerprint(*folders: Path) -> str:
    """Return a short digest of the content of folders, so that browsers can cache their files for ever."""
    content = hashlib.blake2b(digest_size=6)
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                content.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return content.hexdigest()


def _templates(static: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(SITE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=StrictUndefined,
    )  # fmt: skip
    environment.globals.update(
        static=static, has_lesson=has_lesson, has_puzzles=has_puzzles, departures=departures, summary=summary,
        _=texts.text, html=texts.html, language_code=texts.language_code, script_texts=texts.script_texts,
    )  # fmt: skip
    environment.filters["translated"] = say  # for a text that isn't in the template, such as an option's
    return environment


def _provide(name: str) -> Provide:
    """Return a dependency that is a value of the application's state.

    It doesn't need `person`, but dependencies without an order run at the same time, each in a costly task.
    """

    def provided(state: State, person: CurrentPerson) -> Any:
        return getattr(state, name)

    return Provide(provided, sync_to_thread=False)


def _job_queue(settings: Settings) -> "JobQueue | None":
    """Return the queue of jobs for workers; None if the server does them all itself."""
    if not settings.jobs:
        return None
    from sparring.tables.workers.job_queue import JobQueue

    return JobQueue(settings.jobs)


def _lifespan(
    settings: Settings, players: BotPlayers | None, standing_by: StandBy | None
) -> Callable[[Litestar], contextlib.AbstractAsyncContextManager[None]]:
    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        state = cast("AppState", app.state)
        faults = state.faults
        loops = state.loops = Loops(faults)
        store = Database(settings.database, limited=True)
        await store.open(create=standing_by is None)  # otherwise the supervisor has created it
        queue = state.job_queue = _job_queue(settings)
        processes = ProcessBotPlayers(settings.bot_processes, settings.commands, queue, faults)
        state.bot_pool = processes.pool
        if standing_by:
            await store.engine.dispose()  # a spare leaves its connections to others; the database may restart meanwhile
            await standing_by(app)
        others = ProcessStore(store) if store.shared else None
        joins = others is not None and isinstance(settings.now, SteadyClock) and await others.adopt_time(settings.now)
        tables = state.tables = Tables(settings, store, players or processes)
        tables.timers.joins = joins
        bans = state.bans = tables.bans
        await bans.reload()
        retention = state.retention = Retention(settings, store, tables.registry.ids)
        probe = state.probe = Probe(ProcessReportStore(store), faults, lambda: report_of(state))
        bound = state.database_bound = DatabaseBound(store, tables.rate_limits, settings.limits.database)
        overload = state.overload = Overload(store.longest_wait, state.connections.by_address.total)
        background: list[Work] = [probe.run, overload.follow, *((queue.follow,) if queue else ())]
        kinds = KINDS if store.shared else LASTING
        shared = state.shared_rate_limits = SharedRateLimits(RateLimitStore(store), tables.rate_limits, kinds)
        background.append(shared.follow)
        presence = PresenceExchange(tables.registry, others) if others else None
        if presence:
            background.append(presence.follow)
        lobby = state.lobby = Lobby(tables)
        sets = state.sets = StudioSets(settings, SetStore(store, settings.limits.pictures_each), tables.rate_limits)
        state.streaks = StreakStore(store)
        tokens = state.tokens = Tokens(settings, TokenStore(store), tables.rate_limits)
        jobs = state.studio_jobs = StudioJobs(settings.limits, store)
        records = UploadedRecords(settings, ReplayStore(store), tables.rate_limits)
        accounts = state.accounts = Accounts(settings, AccountStore(store), RecoveryStore(store), tables.rate_limits)
        signed = {**dict.fromkeys((COOKIE, GUEST), state.identity_cookie.is_own), DEVICE: accounts.devices.is_own}
        state.cookie_names = CookieNames(await store.server_id(), signed)
        state.friends = Friends(FriendStore(store), ChallengeStore(store), accounts, tables)
        addresses = state.email_addresses = EmailAddresses(settings, accounts, MailStore(store), OutboxStore(store))
        dispatcher = Dispatcher(settings, store, addresses, is_turn_of)
        state.personal_data = PersonalData(
            accounts,
            PersonalDataStore(store),
            tables,
            sets.store,
            records.store,
            tokens,
            addresses,
            dispatcher,
            state.friends.store,
            state.friends.challenges,
        )
        in_progress = SharedJobs[MatchReview](store, "review", MatchReview)
        reviews = MatchReviews(in_progress, records.store, tables.rate_limits, queue)
        lines = MatchLines(tables.registry, tables.rate_limits, records.timelines)
        replays = state.replays = ReplayContext(TimelineSandbox(), records, reviews, lines)

        background += [
            bans.follow,
            tables.listener.listen,
            tables.listener.follow,
            tokens.follow,
            accounts.sessions.follow,
            tables.chat.refresh_mutes,
            tables.registry.evict_idle,
            tables.timers.run,
            tables.departures.follow,
            dispatcher.run,
            lobby.record_attendance,
            bound.follow,
        ]
        if players is None and settings.warming:
            background.append(processes.keep_compiled)
        for work in background:
            loops.start(work)
        loops.start(lines.follow, LONG_PAUSE)
        loops.start(retention.follow, LONG_PAUSE)
        try:
            yield
        finally:
            await tables.close()
            await jobs.close()
            await sets.close()
            await replays.close()
            accounts.close()
            await loops.stop()
            if presence:
                await presence.close()
            faults.tidy(closing=True)
            await processes.close()
            await store.close()

    return lifespan
