"""What an operator learns about a running server.

`FaultLog` counts what fails, `Loops` runs endless tasks, `Metrics` has the figures, `Overload` refuses
newcomers, and `check_site` asks the site as browsers do.

What must hold:

* Nothing here waits for the database.
* A kind of fault is public, since `/health` shows it; a cause is for the log only.
"""
