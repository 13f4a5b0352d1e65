"""What goes wrong and how much there is to do: the fault log, endless tasks, figures.

`FaultLog` counts what fails, `Loops` runs endless tasks, and `metrics.py` has the figures.

What must hold:

* Nothing here waits for the database.
* A kind of fault is public, since `/health` shows it; a cause is for the log only.
"""
