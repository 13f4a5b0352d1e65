"""Send e-mails through the operator's mail server."""

from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from sparring.engine.errors import SparringError
from sparring.settings import SMTP_PORTS, MailSettings

#: How long the mail server may take (seconds).
PATIENCE = 20.0


class MailFailed(SparringError):
    """The mail server didn't take an e-mail; `final` if it never will."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(f"The mail server didn't take an e-mail: {reason}.")
        self.final = final


class MailSender:
    """The mail server in a server's settings."""

    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings

    async def send(self, message: EmailMessage) -> None:
        """Send an e-mail; raise MailFailed, whose text names no address."""
        message["From"] = self._settings.sender
        await self.connect(message)

    async def connect(self, message: EmailMessage | None = None) -> None:
        """Connect to the mail server, sign in, and send a message if there is one; raise MailFailed."""
        from aiosmtplib import SMTP, SMTPException, SMTPRecipientsRefused, SMTPResponseException

        url = urlsplit(self._settings.server)
        server = SMTP(
            hostname=url.hostname, port=url.port or SMTP_PORTS[url.scheme], use_tls=url.scheme == "smtps",
            start_tls=url.scheme == "smtp", timeout=PATIENCE,
            username=unquote(url.username) if url.username else None,
            password=unquote(url.password) if url.password else None,
        )  # fmt: skip
        try:
            async with server:
                if message:
                    await server.send_message(message)
        except SMTPRecipientsRefused as problem:
            raise MailFailed("it refused the recipient", final=_final(problem.recipients[0].code)) from None
        except SMTPResponseException as problem:
            raise MailFailed(f"it answered {problem.code}", final=_final(problem.code)) from None
        except (SMTPException, OSError, TimeoutError) as problem:
            raise MailFailed(f"{type(problem).__name__}") from None


def _final(code: int) -> bool:
    """Return whether a status code is a permanent refusal of this message; 535 is a wrong password in the settings."""
    return code >= 550
