"""Whoever goes past the page meets the same checks."""

from __future__ import annotations

import pytest

from tests.api.server import World, person

pytestmark = pytest.mark.C22

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 64
CONTENTS = {
    "picture.pdf": PNG,
    "program.docx": b"MZ\x90\x00" + b"\x00" * 200,
    "empty.txt": b"",
    "spaces.md": b"   \n\t  \n",
    "broken.pdf": b"%PDF-1.7\nnothing else",
}


def test_the_same_files_fail_with_the_same_words(world: World) -> None:
    service = world.service
    with person(world, "past-the-page") as somebody:
        page = service.sessions.create(service.owners.for_token("past-the-page"), "Page")
        by_page = [service.documents.add_file(page, name, data) for name, data in CONTENTS.items()]
        files = [("files", (name, data, "application/pdf")) for name, data in CONTENTS.items()]
        form = {"session_id": somebody.session_id}
        by_api = somebody.client.post("/ingest-files/", files=files, data=form).json()["results"]
        assert [r["outcome"] for r in by_api] == [r.outcome.value for r in by_page]

        seen = world.settled(somebody.client, somebody.session_id)
        world.settled(somebody.client, page.id)
        told = {d.label: (d.state.value, d.reason, d.cure) for d in service.documents.list(page)}
        assert told == {
            d["label"]: (d["state"], d["reason"], d["cure"]) for d in seen if d["label"] in told
        }
        assert all(state == "failed" and reason and cure for state, reason, cure in told.values())


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\x\\a.txt", "a\x00b.txt", "‮fdp.exe"])
def test_a_name_is_cleaned_wherever_it_comes_from(world: World, name: str) -> None:
    with person(world, "names") as somebody:
        files = {"files": (name, f"Text of {name!r}.")}
        form = {"session_id": somebody.session_id}
        result = somebody.client.post("/ingest-files/", files=files, data=form).json()["results"][0]
        shown = result["document"]["label"]
        assert not set(shown) & set("/\\\x00‮")
        somebody.client.delete(f"/sessions/{somebody.session_id}")
