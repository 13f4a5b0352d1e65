"""Long-running jobs on sets, in separate processes: measuring, training, tuning, reports and printing.

`StudioJobs` (`job_service.py`) holds all jobs of a server. `JobProcesses` (`job_pool.py`) has one process for each
kind of job; each does one job at a time, with a fair queue (`job_process.py` runs in it, `job_messages.py` declares
its messages). `SetMeasurings` (`measuring.py`) measures sets while their pages are open and stops when the last viewer
leaves. `ReportJobs`, `TrainingJobs` and `TuningJobs` are `JobStore`s: each job is started once, and the newest results
are kept; other processes find them (`store/processes.py`). `tuning_plan.py` turns a form into a tuning file
of the lab. `balance_panel.py` renders measurements.
"""
