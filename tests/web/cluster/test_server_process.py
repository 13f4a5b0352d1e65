"""A process order contains all settings, and the clock of the server's run."""

from dataclasses import replace
from pathlib import Path

import msgspec

from sparring.serve import FirstTable
from sparring.server_process import ProcessOrder
from sparring.settings import Limits, MailSettings, PushSettings, Settings
from sparring.tables.state.players import Player


def test_a_process_order_contains_all_settings(tmp_path: Path) -> None:
    settings = replace(
        Settings.load(tmp_path),
        names=("a.example", "b.example"),
        older_secrets=("old",),
        limits=Limits(streams=7),
        mail=MailSettings(server="mail.example:25", sender="play@table.example", site="https://table.example"),
        push=PushSettings(services=("push.example",)),
        slot=0.5,
    )
    first = FirstTable(game="mace", players=[Player("", "Ada", "random"), Player()], options={"round_limit": 9})
    told = msgspec.json.decode(msgspec.json.encode(ProcessOrder.of(settings, first)), type=ProcessOrder)
    assert told.read() == settings
    assert told.first == first
