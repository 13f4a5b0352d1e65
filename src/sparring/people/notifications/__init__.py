"""Notifications by e-mail and push: "your turn" in matches with days per turn, and invitations.

`Dispatcher` (`dispatcher.py`) takes messages from the outbox, words and sends them. `MailSender` talks to the mail
server, and `PushSender` to push services (VAPID, encrypted for each browser).

What must hold:

* A table never waits for a message: its commit only adds a row to the outbox (`store/notifications.py`).
* One process sends each message, once.
* A message says whose turn it is at which table, and nothing else about the match.
* Everything is opt-in, per kind and per way. Each e-mail has a link that stops its kind with one click.
* A browser that the push service no longer knows is forgotten.
* The server posts to the push services in its settings only, whatever endpoint a browser names.
"""
