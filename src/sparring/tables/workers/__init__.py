"""Worker processes: bots, with the fair queue for their time, and sandboxes for what people upload.

`ProcessBotPlayers` (`bot_players.py`) sends a `BotQuestion` to a `WorkerPool` of `WorkerProcess`es, or to workers on
other machines, and gets a `BotAnswer`. `FairQueue` shares their time among the people who wait.
`ContentUploads` (`uploads.py`) parses content files in a `SandboxedProcess`, with bounds on time and memory.

What must hold:

* A question contains what the bot's seat may know, and nothing else.
* A bot's choice appears after a whole number of time slots, whose length depends only on the bot (`bot_players.py`).
  So its thinking time reveals nothing.
* A command (`pipe:COMMAND`) never reaches a form, a page or the database (`bot_players.py`).
"""
