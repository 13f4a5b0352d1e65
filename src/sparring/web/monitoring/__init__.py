"""What a server knows about itself: `FaultLog` (what fails), `Loops` (endless tasks), `Metrics`, `Overload`.

What must hold:

* Nothing here waits for the database.
* A kind of fault is public, since `/health` shows it; a cause is for the log only.
"""
