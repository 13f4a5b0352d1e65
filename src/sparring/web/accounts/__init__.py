"""Accounts: sign-in methods, and sessions of signed cookies."""
