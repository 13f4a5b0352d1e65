"""People: who they are, how they sign in, and what they may do.

Identity (`identity.py`), accounts, API tokens, rate limits, a fair queue for shared work, and notifications. They
are services: no page and no route is here.
"""
