"""Clusters: several processes that form one server, with table ownership and proxying, and workers for their jobs.

A `ClusterMembership` holds one process's part: a `ClusterNode` (heartbeats and leases of tables), a `ProxyMiddleware`
(forwards requests to the process that owns the table) and `SharedRateLimits`. `CacheInvalidation` reloads what other
processes have changed. A `JobQueue` gives bots' moves, hints and reviews to a `JobWorker` on another machine.

What must hold:

* One process owns a table. Claiming a table increments its row version, so writes of an owner that was declared dead
  fail.
* The supervisor reports a process that ends. Without a supervisor, a process counts as gone when its address refuses
  connections, or after three seconds without a heartbeat.
* A spare process has loaded everything and holds no connection to the database until it serves.
* Workers need only the database of jobs. They learn nothing but questions with what single seats may know.
* The name of the queue includes the versions of the package and of all games, and the installed bots, so that workers
  and servers match.
* Processes exchange rate limits every three seconds, and reread cached accounts every second in one query.
* A change that another process must see writes a notice in the same transaction (`store/notice_store.py`).
"""
