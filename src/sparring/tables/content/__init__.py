"""Content that people upload, and the addresses of its pictures.

`ContentUploads` (`uploads.py`) parses content files in a `SandboxedProcess` (`upload_sandbox.py`), with bounds on time
and memory. Pages get picture addresses that only the server can make.
"""
