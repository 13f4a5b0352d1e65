"""Checks of addresses and packages that settings refer to, before the server starts."""

from email.utils import parseaddr
from importlib.util import find_spec
from ipaddress import ip_address
from urllib.parse import urlsplit

from sparring.engine.errors import SparringError
from sparring.engine.extras import missing_extra

from .server import Settings
from .sources import InvalidSettings

#: How mail servers can be reached, with the usual port: TLS, STARTTLS, or unencrypted (a relay on this machine).
SMTP_PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}


class JobsUnavailable(SparringError):
    """The database of jobs can't be used."""


def check_addresses(settings: Settings) -> None:
    """Raise InvalidSettings if the address of the proxy is malformed."""
    if settings.proxy:
        try:
            ip_address(settings.proxy)
        except ValueError:
            raise InvalidSettings(
                f'`proxy` must be an IP address, such as 127.0.0.1, not "{settings.proxy}".'
            ) from None


def check_jobs(url: str) -> None:
    """Raise JobsUnavailable if the URL of the database of jobs is malformed; the database needn't run yet."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        if not url.startswith(("postgresql://", "postgres://")):
            raise ProgrammingError
        conninfo_to_dict(url)
    except ModuleNotFoundError:
        raise JobsUnavailable(missing_extra("`jobs` needs more packages", "postgres")) from None
    except ProgrammingError:
        raise JobsUnavailable("`jobs` must be written postgresql://USER:PASSWORD@HOST/DATABASE.") from None


def check_notifications(settings: Settings) -> None:
    """Raise InvalidSettings if e-mail or push is set up incompletely, or if the packages for it are missing."""
    mail, push = settings.mail, settings.push
    for name, package, on in (("mail.server", "aiosmtplib", mail.on), ("push.contact", "pywebpush", push.on)):
        if on and find_spec(package) is None:
            raise InvalidSettings(missing_extra(f"`{name}` needs more packages", "notify"))
    if mail.on:
        server, site = urlsplit(mail.server), urlsplit(mail.site)
        if server.scheme not in SMTP_PORTS or not server.hostname:
            raise InvalidSettings(
                "`mail.server` must be written smtps://USER:PASSWORD@HOST:PORT, or begin with smtp://."
            )
        if "@" not in parseaddr(mail.sender)[1]:
            raise InvalidSettings(
                f'`mail.sender` must be an e-mail address, such as Sparring <play@table.example>, not "{mail.sender}".'
            )
        if site.scheme not in ("http", "https") or not site.hostname or site.path.strip("/"):
            raise InvalidSettings(
                f'`mail.site` must be the server\'s URL, such as https://table.example, not "{mail.site}".'
            )
    if push.on and not push.contact.startswith(("mailto:", "https://")):
        raise InvalidSettings(f'`push.contact` must begin with mailto: or https://, not "{push.contact}".')
