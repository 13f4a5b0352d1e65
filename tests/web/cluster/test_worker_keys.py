"""Worker keys: a worker can take jobs, and do nothing else."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sparring.cli import main
from sparring.web.cluster.broker import Broker, KeyChannel, MessageSeal
from sparring.web.cluster.broker_transport import BrokerTransport, RelayedRequest, RequestCancelled, ResponseChunk
from sparring.web.cluster.http_transport import FORWARDED, HttpTransport
from sparring.web.cluster.invalidation import NoticesWritten
from sparring.web.cluster.job_queue import QueuedJob
from sparring.web.cluster.transport import ProxiedRequest
from sparring.web.cluster.worker_keys import VARIABLE, own_key, worker_key
from sparring.web.identity import IdentityCookie, Person
from sparring.web.settings import SECRET, read_secrets
from web.app_server import AppServer, Client
from web.redis import NEEDS_REDIS, broker
from web.redis import Broker as Redis

__all__ = ["broker"]  # a fixture


def test_a_worker_key_cannot_open_server_messages() -> None:
    job, key = QueuedJob("n", "s", "module", b"question"), worker_key("known")
    assert MessageSeal(key).unseal("row", MessageSeal(worker_key("known")).seal("row", job), QueuedJob) == job
    for other in ("known", worker_key("other")):
        assert MessageSeal(key).unseal("row", MessageSeal(other).seal("row", job), QueuedJob) is None
        assert MessageSeal(other).unseal("row", MessageSeal(key).seal("row", job), QueuedJob) is None
        assert MessageSeal(key).realm != MessageSeal(other).realm
    assert "known" not in key


def test_a_worker_key_cannot_sign_cookies(server: AppServer) -> None:
    table, key = server.table("Anna", "Ben"), worker_key(server.settings.secret)
    seats = []
    for secret in (server.settings.secret, key):
        client = Client(server, IdentityCookie(secret).write(Person("Anna", "Anna")).value or "")
        seats.append(client.look(table)["seat"])
    assert seats == [1, 0]


@NEEDS_REDIS
def test_messages_with_a_worker_key_are_ignored_by_processes(broker: Redis) -> None:
    """A worker has the broker's password, so it sees all channels and can publish on them."""
    asked = ProxiedRequest("GET", "/", b"/", b"", [], b"", "192.0.2.7", "http")
    reached = list[str]()

    async def response(*_: Any) -> None:
        reached.append("asked")

    async def attack() -> None:
        process, attacker = Broker(broker.url), Broker(broker.url)
        circle, forged = KeyChannel(process, "known"), KeyChannel(attacker, worker_key("known"))
        relay = BrokerTransport(circle, response)
        circle.subscribe(circle.channel("news"), NoticesWritten, lambda _: reached.append("news"))
        following = asyncio.create_task(process.follow())
        async with asyncio.timeout(20):
            while not process.connected:  # noqa: ASYNC110 - it comes from elsewhere
                await asyncio.sleep(0.01)
        messages = [
            RelayedRequest(attacker.id, 1, asked), ResponseChunk(attacker.id, 1, 0, b"", last=False),
                RequestCancelled(attacker.id, 1), NoticesWritten(),
        ]  # fmt: skip
        named: list[Any] = await attacker.redis.pubsub_channels()
        channels = [name.decode() for name in named]
        assert len(channels) == len(messages)
        for channel in channels:
            for message in messages:
                await forged.publish(channel, message)
        await circle.publish(circle.channel("news"), NoticesWritten())  # the next message after those
        async with asyncio.timeout(20):
            while not reached:  # noqa: ASYNC110 - it comes from elsewhere
                await asyncio.sleep(0.01)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        await relay.close()
        for each in (process, attacker):
            await each.close()

    asyncio.run(attack())
    assert reached == ["news"]


def test_requests_between_servers_are_signed_with_another_key() -> None:
    async def believed(secret: str) -> bool:
        forged, here = HttpTransport(secret), HttpTransport("known")
        try:
            mark = forged._signature("GET", "/", "192.0.2.7", "http")
            scope = {"method": "GET", "path": "/", "headers": [(FORWARDED, f"{mark} 192.0.2.7 http".encode())]}
            return here.authenticate(scope)
        finally:
            await forged.close()
            await here.close()

    assert asyncio.run(believed("known"))
    assert not asyncio.run(believed(worker_key("known")))


def test_the_command_prints_a_key_that_workers_accept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server_folder, elsewhere = tmp_path / "server", tmp_path / "elsewhere"
    monkeypatch.setenv("SPARRING_DATA", str(server_folder))
    monkeypatch.delenv(VARIABLE, raising=False)
    key = output_of(capsys, "admin", "worker-key")
    assert key == worker_key(read_secrets(server_folder / SECRET)[0]) == own_key(server_folder)
    monkeypatch.setenv(VARIABLE, f"{key}\n")
    assert own_key(elsewhere) == key
    assert not elsewhere.exists(), "a worker creates no server key"
    output_of(capsys, "admin", "new-key")
    assert output_of(capsys, "admin", "worker-key") != key


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit):
        main(list(words))
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize(
    "given", ["", "server_key", "worker-", f"x{worker_key('known')}", worker_key("known")[:-1] + "_"]
)
def test_an_invalid_worker_key_gets_a_sentence(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("redis")
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.setenv(VARIABLE, given)
    with pytest.raises(SystemExit) as ended:
        main(["work", "--broker", "redis://127.0.0.1:1"])
    said = capsys.readouterr().err.replace("\n", " ")
    assert ended.value.code == 2
    assert "`sparring admin worker-key`" in said
    assert ("needs a key" if not given else "isn't a valid worker key") in said
    assert len(given) < 8 or given not in said
