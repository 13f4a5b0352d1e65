"""Quick matches, as the start page creates them."""

from web.app_server import Client


def quick_match(client: Client, against: str, played: str = "hush", **more: str) -> str:
    response = client.post("/quick", data={"game": played, "against": against, **more})
    assert response.status_code == 303, response.text
    return response.headers["location"].removeprefix("/table/")
