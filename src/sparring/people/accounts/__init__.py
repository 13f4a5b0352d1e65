"""Accounts: sign-in methods, and sessions in signed cookies.

`Accounts` (`accounts.py`) creates accounts, signs people in and changes their sign-in methods. `SessionCache`
(`session_revocation.py`) checks cookies, `PasskeyCeremonies` runs WebAuthn, `PasswordHasher` hashes with argon2,
`RecoveryCodes` restores access, `DeviceCookies` recognises known browsers, and `EmailAddresses` resets passwords by
e-mail.

What must hold:

* An account keeps the guest's id, so that seats, sets and records stay.
* The cookie contains a session and the account's session generation (`epoch`). Signing out everywhere increments the
  generation. Both are cached, so that the database is queried for new visitors only; event streams check before every
  message.
* Sign-in methods can be changed only within 15 minutes of a sign-in.
* The server keeps no state of a passkey ceremony. The challenge is in a signed ticket for one purpose, person and
  server name, valid for five minutes; the database holds used tickets until then.
* Password attempts are limited per name and network, and per name over all networks. A known browser has its own
  limit.
* Only digests of recovery codes are stored. An account gets eight, and each works once.
* Signing in merges the guest's data into the account (`store/personal_data.py`).
"""
