"""The studio: people's content sets and the editor for them.

`StudioSets` (`sets.py`) creates, edits, shares and deletes sets. An `Edit` (`edits.py`) is an operation on a path into
the set's data. `set_editor.py` renders the editor from a game's declared form, `set_sandbox.py` the preview beside
it, and `picture_pad.py` serves the drawing pad. `jobs` holds long-running jobs on sets.

What must hold:

* The page posts edits with the row version of the set that it knows. A sandbox process (`DraftSandbox`) reads, edits,
  checks and draws the set; then the version is stored, and the page gets the response. With an old row version nothing
  is stored, and the page asks which state to keep.
* Continuous typing in one place replaces its own version, so that undo works in useful steps.
* A set with errors is stored, but can't be played, measured or printed.
* A picture is one string in the content. Pages get picture addresses that only the server can make
  (`tables/workers/uploads.py`). Uploaded images are decoded in a sandbox process, which keeps only the pixels
  (`image_sandbox.py`).
"""
