"""Metrics: who may read them, what they say, over all processes, and the dashboard that shows them."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from sparring.monitoring import METRICS, added_up
from sparring.server.requests.health import report_of
from sparring.server.requests.server_state import server_state
from web.app_server import AppServer, Client, StartServer

DASHBOARD = Path(__file__).parents[3] / "deploy" / "grafana-dashboard.json"
KEY = "a-long-key-for-metrics"


def read(text: str) -> dict[str, float]:
    """Return the samples of a text in the format of Prometheus."""
    samples = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in samples}


def test_metrics_of_a_server(server: AppServer, table: str, anna: Client) -> None:
    anna.choose(table, "done")
    anna.get("/nowhere")
    entry = server.app.state.faults.report('A "kind"', "its cause")
    response = server.stranger().get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = read(response.text)
    assert found["sparring_processes"] == found["sparring_ready"] == 1
    assert found['sparring_requests_total{method="GET",status="404"}'] == 1
    assert found["sparring_tables"] >= 1
    assert found["sparring_commit_seconds_count"] == found['sparring_commit_seconds_bucket{le="+Inf"}'] > 0
    assert found["sparring_read_seconds_count"] > 0
    assert found["""sparring_faults_total{kind="A 'kind'"}"""] == 1
    assert found['sparring_loop_failures_total{loop="Dispatcher.run"}'] == 0
    assert found["sparring_memory_bytes"] > 1e6
    assert found["sparring_disk_free_bytes"] > 0
    assert "its cause" not in response.text
    assert entry in report_of(server_state(server.app))
    assert {re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) for name in found} == set(METRICS)


def test_processes_are_added_up(start_server: StartServer) -> None:
    servers = [start_server() for _ in range(2)]
    for each in (*servers, servers[0]):
        each.run(each.app.state.probe.probe())
    assert read(servers[0].stranger().get("/metrics").text)["sparring_processes"] == 2
    disk = {"sparring_disk_free_bytes": 5.0, "sparring_tables": 2.0}
    assert added_up([disk, disk]) == {"sparring_disk_free_bytes": 5.0, "sparring_tables": 4.0}


def test_other_machines_need_the_key(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.server.requests.health.ip_address", lambda _: SimpleNamespace(is_loopback=False))
    client = start_server(metrics_key=KEY).stranger()
    assert client.get("/metrics").status_code == 403
    for key, status in ((KEY, 200), ("wrong", 403), ("é", 403)):
        headers = {b"Authorization": f"Bearer {key}".encode()}
        assert client.http.get("/metrics", headers=headers).status_code == status
    assert start_server().stranger().http.get("/metrics", headers={"Authorization": "Bearer"}).status_code == 403


def test_the_dashboard_shows_existing_metrics() -> None:
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    shown = {name.removesuffix("_bucket") for each in expressions for name in re.findall(r"sparring_\w+", each)}
    assert shown == set(METRICS)
