"""What must be true of sets on every database."""

from sparring.engine.game import game
from web.app_server import AppServer
from web.studio.sets import change, create_set, file, put, share_link, state, step_history, upload_set


def check_an_unfinished_set_is_stored_with_its_faults(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="make-your-moves", **{"from": "empty"})
    assert state(anna, address)["faults"] == []
    change(anna, address, put("", "cards", 0, "name")).raise_for_status()
    told = [fault["words"] for fault in state(anna, address)["faults"]]
    assert any("a name must have 1 to 24 characters" in words for words in told)
    response = anna.post(f"{address}/play", data={"name": "Anna"})
    assert response.status_code == 422
    assert "played, measured or printed yet" in response.text


def check_an_uploaded_file_is_downloaded_unchanged(server: AppServer) -> None:
    anna = server.person("Anna")
    text = "# my cards\nvalues = [9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 10, 99]\n"
    assert file(anna, upload_set(anna, text).headers["location"]).startswith(text)


def check_undo_and_redo_work_by_field(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    change(anna, address, put("7", "values", 0))
    change(anna, address, put("77", "values", 0))
    change(anna, address, put("8", "values", 1))
    assert file(anna, address).startswith("values = [77, 8")
    assert step_history(anna, address, "undo").json()["redo"]
    assert file(anna, address).startswith("values = [77, 1")
    step_history(anna, address, "undo")
    assert file(anna, address).startswith(game("high-card").content_text)
    assert step_history(anna, address, "undo").status_code == 404
    step_history(anna, address, "redo")
    assert file(anna, address).startswith("values = [77, 1")
    change(anna, address, put("5", "values", 2))
    assert step_history(anna, address, "redo").status_code == 404
    step_history(anna, address, "version", 1)
    assert file(anna, address).startswith(game("high-card").content_text)
    step_history(anna, address, "undo")
    assert file(anna, address).startswith("values = [77, 1, 5")


def check_two_windows_do_not_overwrite_each_other(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    seen = state(anna, address)["row_version"]
    assert change(anna, address, put("50", "values", 0), row_version=seen).status_code == 200
    late = change(anna, address, put("60", "values", 0), row_version=seen)
    assert late.status_code == 409
    assert late.json()["differs"] == ["Card 1: 60 here, 50 in the other window."]
    assert file(anna, address).startswith("values = [50, ")
    assert change(anna, address, put("60", "values", 0), row_version=late.json()["row_version"]).status_code == 200


def check_a_set_is_private_and_its_link_is_read_only(server: AppServer) -> None:
    anna, bert, stranger = server.person("Anna"), server.person("Bert"), server.stranger()
    address = create_set(anna, title="Most secret")
    share = share_link(anna, address)
    for other in (bert, stranger):
        for path in (address, f"{address}/file"):
            assert other.get(path).status_code == 404
        for what in ("play", "copy", "remove"):
            assert other.post(f"{address}/{what}", data={"name": "Bert"}).status_code == 404
        assert other.post(f"/api{address}/change", json={"row_version": 0, "edits": []}).status_code == 404
        assert other.post(f"/api{address}/history", json={"row_version": 0, "direction": "undo"}).status_code == 404
        assert "Most secret" not in other.get("/studio").text
        page = other.get(share).text
        assert "Most secret" in page
        assert address.rsplit("/", 1)[1] not in page
        assert other.post(f"/api{share}/change", json={"row_version": 0, "edits": []}).status_code == 404
        assert other.post(f"{share}/remove").status_code == 404
    mine = bert.post(f"{share}/copy", data={"name": "Bert"}).headers["location"]
    change(bert, mine, put("42", "values", 0))
    assert file(anna, address) == bert.get(f"{share}/file").text
    assert file(anna, address).startswith(game("high-card").content_text)
    assert bert.post(f"{share}/play").headers["location"].startswith("/table/")


def check_a_set_is_playable_at_once(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    change(anna, address, put("99", "values", 0), {"do": "option", "at": ["hand"], "value": "5"})
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    setup = server.run(server.tables.registry.get(table)).match.setup
    assert setup.content.values[0] == 99
    assert setup.options["hand"] == 5
    assert setup.own_content


def check_a_set_is_renamed_and_deleted(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    assert change(anna, address, name="<b>Other</b>").json()["name"] == "<b>Other</b>"
    assert "&lt;b&gt;Other" in anna.get("/studio").text
    assert change(anna, address, name="x" * 41).status_code == 422
    assert change(anna, address, put("9", "values", 2), name="Both").json()["name"] == "Both"
    assert "1, 1, 9, 2" in file(anna, address)
    anna.post(f"{address}/remove")
    assert anna.get(address).status_code == 404


#: All of these.
OF_SETS = [
    check_an_unfinished_set_is_stored_with_its_faults,
    check_an_uploaded_file_is_downloaded_unchanged,
    check_undo_and_redo_work_by_field,
    check_two_windows_do_not_overwrite_each_other,
    check_a_set_is_private_and_its_link_is_read_only,
    check_a_set_is_playable_at_once,
    check_a_set_is_renamed_and_deleted,
]
