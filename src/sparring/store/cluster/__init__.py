"""Store what several processes share: leases, notices and rate limits."""
