"""The server: what happens to each request, the JSON API of games and tables, and several processes as one server.

`requests` resolves the person and turns errors into answers, `security` bounds connections, `api` has the endpoints of
games and tables, `monitoring` measures load, and `cluster` shares tables among processes.
"""
