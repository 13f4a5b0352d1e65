"""Tell people that something at their table has changed: on open pages, by e-mail and by push notification."""
