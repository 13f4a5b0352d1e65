"""Account pages: name, sign-in methods, match history, personal data.

`account_routes.py` holds the account page and its forms. The other modules have the pages of one
subject each. `PersonalData` (`personal_data.py`) merges a guest into an account, exports a person's data and deletes
it, across all stores.
"""
