"""`sparring admin storage`: how much the database stores, and who has nearly used up their share."""

import time
from typing import TYPE_CHECKING

from sparring.cli.common import AsJson, out, with_store, write_json

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.database import Database


def storage(as_json: AsJson = False) -> None:
    """Show the size of the database and its limit, what it contains, and how many clients are near their limit."""
    from sparring.people.rate_limits import NEARLY
    from sparring.store.cluster.rate_limit_store import RateLimitStore
    from sparring.store.schema import RecordRow, SetRow, TableRow

    async def facts(settings: "Settings", store: "Database") -> dict[str, int]:
        limits, now = settings.limits, time.time()
        whole = limits.stored_at_once * 3600 / limits.stored_each_hour
        full_at = await RateLimitStore(store).nearly_exhausted(int(1000 * now))
        heavy = [full for key, full in full_at.items() if key.startswith("stored ")]
        return {
            "bytes": await store.size(), "limit": limits.database,
            **{kind.__tablename__: await store.count(kind) for kind in (TableRow, SetRow, RecordRow)},
            "near_their_limit": sum(full / 1000 - now > NEARLY * whole for full in heavy),
        }  # fmt: skip

    found = with_store(facts)
    if as_json:
        write_json(found)
        return
    size, limit = found["bytes"], found["limit"]
    out.print(f"Database: {size / 1e6:,.1f} of {limit / 1e6:,.0f} MB ({size / limit:.0%})")
    out.print(f"Tables: {found['tables']:,}, studio sets: {found['sets']:,}, saved matches: {found['records']:,}")
    out.print(f"People and networks near their limit for 30 days: {found['near_their_limit']:,}")
