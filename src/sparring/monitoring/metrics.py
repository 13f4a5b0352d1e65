"""Metrics: figures of a process, added up over the processes of a server, in the text format of Prometheus."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

#: The upper ends of the classes of durations (seconds).
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

#: Every metric: its type and what it says.
METRICS: dict[str, tuple[str, str]] = {
    "sparring_processes": ("gauge", "Server processes"),
    "sparring_ready": ("gauge", "Server processes that can write to the database"),
    "sparring_requests_total": ("counter", "Requests by method and status"),
    "sparring_request_seconds": ("histogram", "Time until a response begins"),
    "sparring_connections": ("gauge", "Open connections"),
    "sparring_streams": ("gauge", "Open event streams"),
    "sparring_loop_lag_seconds": ("histogram", "How late the event loop is, measured ten times a second"),
    "sparring_overloaded": ("gauge", "Server processes that refuse newcomers because they can't keep up"),
    "sparring_tables": ("gauge", "Tables in memory"),
    "sparring_bots_playing": ("gauge", "Tables at which a bot chooses"),
    "sparring_bot_questions_waiting": ("gauge", "Questions to bots that wait for a process"),
    "sparring_faults_total": ("counter", "Faults by kind: refusals, loops and bots that failed"),
    "sparring_loop_failures_total": ("counter", "Failures of endless tasks"),
    "sparring_commit_seconds": ("histogram", "Duration of commits"),
    "sparring_read_seconds": ("histogram", "Duration of reads, with the wait for a connection"),
    "sparring_connection_wait_seconds": ("histogram", "How long reads waited for a connection"),
    "sparring_writes_waiting": ("gauge", "Writes that wait for a commit"),
    "sparring_memory_bytes": ("gauge", "Resident memory"),
    "sparring_disk_used_bytes": ("gauge", "Used space of the disk with the database"),
    "sparring_disk_free_bytes": ("gauge", "Free space of the disk with the database"),
}
#: Metrics that are the same in all processes of a machine: the largest counts.
SHARED = ("sparring_disk_used_bytes", "sparring_disk_free_bytes")

#: Values by sample: the name of a metric, with labels.
Figures = Mapping[str, float]


class ProcessReport(msgspec.Struct, frozen=True):
    """What a process writes about itself: its figures, and what has failed lately."""

    figures: dict[str, float] = {}
    faults: list[str] = []


class Histogram:
    """How many durations were at most as long as each of BUCKETS, with their number and sum."""

    def __init__(self) -> None:
        self._counts = [0] * len(BUCKETS)
        self._count, self._sum = 0, 0.0

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self._count += 1
        self._sum += seconds
        for index, end in enumerate(BUCKETS):
            self._counts[index] += seconds <= end

    def figures(self, name: str) -> dict[str, float]:
        """Return the samples of the metric `name`."""
        counted = {f"{name}_bucket{labels(le=f'{end:g}')}": n for end, n in zip(BUCKETS, self._counts, strict=True)}
        return {
            **counted, f"{name}_bucket{labels(le='+Inf')}": self._count, f"{name}_sum": self._sum,
            f"{name}_count": self._count,
        }  # fmt: skip


def labels(**values: Any) -> str:
    """Return labels as a sample has them."""
    texts = {name: re.sub(r'[\\"\n]', "'", str(value)) for name, value in values.items()}
    return "{" + ",".join(f'{name}="{text}"' for name, text in texts.items()) + "}"


def added_up(processes: Iterable[Figures]) -> dict[str, float]:
    """Return the figures of several processes together."""
    total: dict[str, float] = {}
    for figures in processes:
        for sample, value in figures.items():
            before = total.get(sample, 0.0)
            total[sample] = max(before, value) if sample in SHARED else before + value
    return total


def as_text(figures: Figures) -> str:
    """Return figures in the text format of Prometheus."""
    lines = list[str]()
    for name, (kind, meaning) in METRICS.items():
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        names = {f"{name}{end}" for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
        lines += [f"{key} {value:.17g}" for key, value in figures.items() if key.partition("{")[0] in names]
    return "\n".join(lines) + "\n"
