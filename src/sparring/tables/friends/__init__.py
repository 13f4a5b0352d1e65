"""Friends: requests by name, who is online, and challenges.

What must hold:

* A request gives the same answer whether or not an account has that name, and whether or not its owner has blocked the
  sender. So requests can't be used to find names, or to learn about a block.
* Only friends see who is online, and anyone can hide it.
* All state is in the database, so that every process of a server answers alike. Open pages ask for news.
"""
