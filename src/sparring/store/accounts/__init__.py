"""Store accounts, ways to sign in, API tokens and personal data."""
