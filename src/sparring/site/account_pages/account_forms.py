"""Read what the account pages need from a request: the fields of a form, and the site of passkeys."""

from urllib.parse import urlsplit

from litestar.di import NamedDependency

from sparring.people.accounts.passkeys import PasskeySite
from sparring.server.requests.identity import AnyRequest

from .personal_data import PersonalData

PersonalDataDep = NamedDependency[PersonalData]


class _AccountForm(dict[str, str]):
    """A form's text fields; missing ones are empty."""

    def __missing__(self, _: str) -> str:
        return ""


async def form_of(request: AnyRequest) -> _AccountForm:
    """Return the text fields of a form."""
    return _AccountForm({name: value for name, value in (await request.form()).items() if isinstance(value, str)})


def site_of(request: AnyRequest) -> PasskeySite:
    """Return the passkey site for the host name and scheme of the request."""
    host = request.headers.get("host", "")
    return PasskeySite((urlsplit(f"//{host}").hostname or "").rstrip("."), f"{request.url.scheme}://{host}")
