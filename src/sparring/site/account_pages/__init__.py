"""Account pages: name, sign-in methods, match history, personal data.

`account_routes.py` holds the account page and its forms. Other pages have a module each: `sign_in_pages.py`,
`recovery_pages.py`, `mail_pages.py`, `notification_pages.py`, `friend_pages.py`, `history_pages.py`,
`moderation_pages.py`, `token_page.py` and `personal_data_pages.py`. `PersonalData` (`personal_data.py`) merges a guest
into an account, exports a person's data and deletes it, across all stores.
"""
