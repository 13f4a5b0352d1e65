"""Security: connection limits, host names and the server's log.

`ConnectionLimits` and the protocol class of `protocol.py` bound connections before the application sees a request;
`StreamLimits` counts event streams. Rate limits and bans are in `people`, the sandbox for uploads in `tables/content`.

What must hold:

* IPv6 addresses count by their /64, /56 and /48, networks are a /24 or a /48 (`store/networks.py`).
* Forged cookies and tokens, banned clients and exceeded limits are refused without a database query.
* Tables, seats and rate limits store keyed hashes of addresses, never the addresses.
"""
