"""Requests: identity, errors, decoded forms, and event streams.

`middleware.py` surrounds every request: limits, counts, names of cookies, headers. `identity.py` resolves the person of
every request from a cookie or a token, and the table; it refuses requests from other sites. `errors.py` turns errors
into one clear sentence, as JSON or as a page. `event_stream.py` sends a server-sent event for each version of a table
that its viewer sees. `server_state.py` declares what all of them share.

What must hold:

* Handlers raise a `SparringError`; only `refuse` turns it into a response. Its HTTP status is its `status`, 422 unless
  its class says otherwise.
* A redirect to an address from a form or a link goes through `pages.py`, so that it stays on this server.
* A stream checks the session or the token before every message, and ends when it is revoked.
"""
