"""Clusters: several processes that form one server, with table ownership and proxying.

A `ClusterMembership` holds one process's part: a `ClusterNode` (heartbeats and leases of tables), a `ProxyMiddleware`
(forwards requests to the process that owns the table), `SharedRateLimits`, and with a Redis broker also a
`BrokerTransport`, a `JobQueue` and the `KeyChannel` of all processes. `CacheInvalidation` reloads what other processes
have changed. A `JobWorker` on another machine runs bots and reviews.

What must hold:

* One process owns a table. Claiming a table increments its edition, so writes of an owner that was declared dead fail.
* The supervisor reports a process that ends. Without a supervisor, a process counts as gone when its address refuses
  connections or its messages have no subscriber, or after three seconds without a heartbeat.
* A spare process has loaded everything and holds no connection to the database until it serves.
* The broker stores nothing that is needed later. Messages are encrypted with a key of their channel: the processes
  derive theirs from the server's secret, and workers have a separate key.
* The name of the job stream includes the versions of the package and of all games, and the installed bots, so that
  workers and servers match.
* Processes exchange rate limits every three seconds, and reread cached accounts every second in one query.
* A change that another process must see writes a notice in the same transaction (`storage/notice_store.py`).
"""
