"""Account pages: name, sign-in methods, match history, personal data.

`account_routes.py` holds the account page and its forms, and signing in and out; `recovery_pages.py` the recovery
codes; `mail_pages.py` and `notification_pages.py` e-mail and notifications; `history_pages.py` the match history.
`PersonalData` (`personal_data.py`) merges a guest into an account,
exports a person's data and deletes it, across all stores.
"""
