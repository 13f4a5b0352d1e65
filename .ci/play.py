"""Start `sparring play` on a new data folder, ask the server for its health, and stop it."""

import os
import re
import subprocess
import sys
import tempfile
from urllib.request import urlopen


def main() -> None:
    """Exit with a sentence unless the server starts and answers."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "SPARRING_DATA": folder, "PYTHONUNBUFFERED": "1"}
        words = [sys.executable, "-m", "sparring", "play", "--no-browser", "--port", "0"]
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            try:
                if not found:
                    sys.exit("The server didn't start.")
                for path in ("health", ""):
                    with urlopen(found[0] + path, timeout=60) as answer:
                        print(path or "start page", answer.status, answer.read(200))
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
