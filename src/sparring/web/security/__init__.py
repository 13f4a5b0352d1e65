"""Security: connection limits, host names, rate limits, bans, and sandboxes for uploaded content.

`ConnectionLimits` and the protocol class of `protocol.py` bound connections before the application sees a request;
`StreamLimits` counts event streams; `RateLimits` counts actions per person and address; `BanList` rejects banned
people and networks; `ContentUploads` parses content files in a `SandboxedProcess`. `refusals.py` formats refusals
before the application is reached.

What must hold:

* IPv6 addresses count by their /64, /56 and /48, networks are a /24 or a /48 (`networks.py`).
* Forged cookies and tokens, banned clients and exceeded limits are refused without a database query.
* Tables, seats and rate limits store keyed hashes of addresses, never the addresses.
* Uploaded content is parsed only in a sandbox process, with bounds on time and memory.
"""
