"""Store what several processes share: leases, notices, reports of processes, and rate limits."""
