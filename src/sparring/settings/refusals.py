"""Refusals before the application reads a request: JSON under `/api`, plain text elsewhere."""

from typing import Annotated

import msgspec


class ApiRefusal(msgspec.Struct):
    """Nothing was changed."""

    reason: Annotated[str, msgspec.Meta(description="One sentence: what was wrong, and what is possible.")]
    accepted: bool = False


def is_api(path: str) -> bool:
    """Return whether a path belongs to the API, which always answers in JSON; `/api` itself is a page."""
    return path.startswith("/api/")


def logged_as(sentence: str, entry: str) -> str:
    """Return a sentence that names the entry of the log with the cause, so that people can tell the operator."""
    return f"{sentence} (Log entry {entry})"


def refusal(sentence: str, *, json: bool) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of a refusal."""
    if json:
        kind, body = b"application/json", msgspec.json.encode(ApiRefusal(sentence))
    else:
        kind, body = b"text/plain; charset=utf-8", sentence.encode()
    return [(b"content-type", kind), (b"content-length", b"%d" % len(body))], body
