"""Account pages: name, sign-in methods, match history, personal data."""
