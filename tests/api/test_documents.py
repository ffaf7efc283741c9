"""Documents over HTTP: in, followed, looked at, and out."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import unquote

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from core.api.files import disposition
from core.types import DocumentState
from tests.api.server import LIGHTHOUSE, WHO, Person, World, person
from tests.conftest import settled


def a_pdf(text: str) -> bytes:
    """One page with one line."""
    data = BytesIO()
    canvas = Canvas(data, pagesize=(612, 792))
    canvas.drawString(72, 700, text)
    canvas.save()
    return data.getvalue()


def test_each_file_gets_its_own_result(world: World) -> None:
    with person(world, "results") as somebody:
        names = ("new.txt", "copy.txt", "lighthouse.txt", "nothing.txt")
        contents = ("Something new about whales.", LIGHTHOUSE, "Another text.", "")
        files = [("files", pair) for pair in zip(names, contents, strict=True)]
        job = somebody.client.post(
            "/ingest-files/", files=files, data={"session_id": somebody.session_id}
        ).json()
        outcomes = {result["name"]: result["outcome"] for result in job["results"]}
        assert outcomes == {
            "new.txt": "accepted",
            "copy.txt": "duplicate",
            "lighthouse.txt": "conflict",
            "nothing.txt": "failed",
        }
        assert all(r["reason"] and r["cure"] for r in job["results"] if r["outcome"] == "failed")
        world.settled(somebody.client, somebody.session_id)
        done = somebody.client.get(f"/jobs/{job['job_id']}").json()
        assert done["done"]
        assert done["progress"] == 1.0
        assert done["results"][0]["document"]["state"] == "ready"

        form = {"session_id": somebody.session_id, "on_same_name": "replace"}
        replaced = somebody.client.post(
            "/ingest-files/", files={"files": ("lighthouse.txt", "Nils Berg built it.")}, data=form
        ).json()
        assert replaced["results"][0]["outcome"] == "replaced"
        labels = [d["label"] for d in world.settled(somebody.client, somebody.session_id)]
        assert labels.count("lighthouse.txt") == 1


def test_a_job_can_be_stopped(world: World) -> None:
    with person(world, "stopper") as somebody:
        service = world.service
        session = service.sessions.get(service.owners.for_token("stopper"), somebody.session_id)
        files = [("files", (f"{n}.txt", f"Text number {n}. " * 2000)) for n in range(12)]
        job = somebody.client.post(
            "/ingest-files/", files=files, data={"session_id": session.id}
        ).json()
        stopped = somebody.client.delete(f"/jobs/{job['job_id']}")
        assert stopped.status_code == 200
        states = {d.label: d.state.value for d in settled(service, session)}
        assert "stopped" in states.values()
        assert states["bread.md"] == "ready"
        assert somebody.client.get(f"/jobs/{job['job_id']}").json()["done"]
        assert somebody.client.post(f"/sessions/{session.id}/resume").json()["count"] > 0
        assert somebody.client.post(f"/sessions/{session.id}/stop").status_code == 200


def test_addresses_are_checked_one_by_one(ida: Person) -> None:
    body = {"urls": ["ftp://example.org/x", "http://127.0.0.1/x", "not an address"]}
    job = ida.client.post("/ingest-urls/", json=body).json()
    first = job["results"][0]
    assert first["outcome"] == "failed"
    assert "http" in first["cure"] or "http" in first["reason"]
    assert ida.client.delete(f"/sessions/{job['session_id']}").status_code == 204


def test_text_pages_and_chunks_agree(ida: Person) -> None:
    root = f"/sessions/{ida.session_id}/documents/{ida.documents['bread.md']}"
    text = ida.client.get(f"{root}/text")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    pages = ida.client.get(f"{root}/pages").json()
    assert text.text == "\f".join(page["text"] for page in pages["pages"])
    assert pages["pages"][0]["headings"][-1]["title"] == "Baking"
    chunks = ida.client.get(f"{root}/chunks").json()
    assert chunks["total"] == len(chunks["chunks"]) > 0
    for chunk in chunks["chunks"]:
        page = pages["pages"][chunk["page_ordinal"]]
        assert page["text"][chunk["start"] : chunk["end"]] == chunk["text"]
    assert ida.client.get(f"{root}/pages", params={"offset": 5}).json()["pages"] == []
    assert ida.client.get(f"{root}/pages/99").status_code == 404


def test_a_page_of_a_pdf_is_shown_with_the_passage_marked(world: World) -> None:
    with person(world, "pages") as somebody:
        files = {"files": ("tower.pdf", a_pdf("The tower of Cape Grey was built by Eva Lund."))}
        form = {"session_id": somebody.session_id}
        assert somebody.client.post("/ingest-files/", files=files, data=form).status_code == 202
        world.settled(somebody.client, somebody.session_id)
        cited = somebody.query("Who built the tower of Cape Grey?")["citations"][0]
        assert cited["document"] == "tower.pdf"
        assert cited["page"] == 1
        marked = somebody.client.get(f"{world.url}{cited['image']}")
        assert marked.headers["content-type"] == "image/png"
        plain = somebody.client.get(f"{world.url}{cited['image'].partition('?')[0]}")
        with (
            Image.open(BytesIO(marked.content)) as image,
            Image.open(BytesIO(plain.content)) as bare,
        ):
            assert image.size == bare.size == (1224, 1584)
            pixels = np.asarray(image.convert("RGB")).astype(int)
            assert ((pixels[..., 0] > 200) & (pixels[..., 2] < 190)).sum() > 1000  # yellow
        text = somebody.documents["bread.md"]
        none = somebody.client.get(
            f"/sessions/{somebody.session_id}/documents/{text}/pages/0/image"
        )
        assert none.status_code == 404
        assert "text" in none.json()["cure"]


def test_a_document_is_tagged(world: World) -> None:
    with person(world, "tagger") as somebody:
        path = f"/sessions/{somebody.session_id}/documents/{somebody.documents['lighthouse.txt']}"
        assert somebody.client.get(path).json()["tags"] == []
        tagged = somebody.client.patch(path, json={"tags": ["towers", "sea"]}).json()
        assert tagged["tags"] == ["towers", "sea"]
        assert tagged["searched"]
        tagged = somebody.client.patch(path, json={"tags": [" sea ", "light"]}).json()
        assert tagged["tags"] == ["sea", "light"]
        assert somebody.client.patch(path, json={"tags": []}).json()["tags"] == []
        for wrong, status in (({}, 422), ({"tags": ["x" * 61]}, 422), ({"tags": ["\u200b"]}, 400)):
            assert somebody.client.patch(path, json=wrong).status_code == status


def test_many_documents_are_changed_in_one_request(world: World) -> None:
    with person(world, "many") as somebody:
        path = f"/sessions/{somebody.session_id}/documents"
        lighthouse, bread = (somebody.documents[name] for name in ("lighthouse.txt", "bread.md"))
        both = [bread, lighthouse, bread]

        def seen() -> dict[str, tuple[bool, list[str]]]:
            listed = somebody.client.get(path).json()["documents"]
            return {one["id"]: (one["searched"], one["tags"]) for one in listed}

        others = {key: value for key, value in seen().items() if key not in both}
        body = {"documents": [*both, "0" * 64], "searched": False, "add_tags": ["sea", "light"]}
        done = somebody.client.patch(path, json=body)
        assert done.json() == {"count": 2, "unknown": ["0" * 64]}
        out = (False, ["sea", "light"])
        assert seen() == {**others, lighthouse: out, bread: out}
        body = {"documents": [bread], "remove_tags": ["sea"], "searched": True}
        assert somebody.client.patch(path, json=body).json()["count"] == 1
        assert seen() == {**others, lighthouse: out, bread: (True, ["light"])}

        failed = [DocumentState.READY], DocumentState.FAILED
        world.service.catalogue.documents.change_states(*failed, somebody.session_id, [bread])
        again = somebody.client.post(f"{path}/retry", json={"documents": both})
        assert again.json() == {"count": 1, "unknown": []}, "the other one did not fail"
        world.settled(somebody.client, somebody.session_id)

        gone = somebody.client.post(f"{path}/remove", json={"documents": [bread]})
        assert gone.json() == {"count": 1, "unknown": []}
        assert bread not in seen()
        assert lighthouse in seen()
        gone = somebody.client.post(f"{path}/remove", json={"documents": both})
        assert gone.json() == {"count": 1, "unknown": [bread]}
        assert seen() == others


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"documents": []}, 422),
        ({"documents": ["x"], "searched": True}, 422),
        ({"documents": ["0" * 64]}, 422),
        ({"documents": ["0" * 64], "add_tags": ["\u200b"]}, 400),
        ({"documents": ["0" * 64] * 1001, "searched": True}, 422),
    ],
)
def test_what_is_wrong_for_many_documents(
    ida: Person, body: dict[str, object], status: int
) -> None:
    path = f"/sessions/{ida.session_id}/documents"
    assert ida.client.patch(path, json=body).status_code == status


def test_a_document_is_taken_out_of_the_search_and_removed(world: World) -> None:
    with person(world, "remover") as somebody:
        path = f"/sessions/{somebody.session_id}/documents/{somebody.documents['lighthouse.txt']}"
        changed = somebody.client.patch(path, json={"searched": False}).json()
        assert not changed["searched"]
        assert not somebody.query(WHO)["answered"]
        assert somebody.client.post(f"{path}/retry").json()["state"] == "ready"
        assert somebody.client.delete(path).status_code == 204
        assert somebody.client.get(path).status_code == 404
        listed = somebody.client.get(f"/sessions/{somebody.session_id}/documents").json()
        assert [d["label"] for d in listed["documents"]] == ["bread.md"]


def test_sessions_are_made_named_and_deleted(nils: Person) -> None:
    made = nils.client.post("/sessions", json={"name": "  Reports  "})
    assert made.status_code == 201
    session_id = made.json()["id"]
    assert made.json()["name"] == "Reports"
    renamed = nils.client.patch(f"/sessions/{session_id}", json={"name": "Reports 2024/2025"})
    assert renamed.json()["name"] == "Reports 2024/2025"
    talks = f"/sessions/{session_id}/conversations"
    talk = nils.client.post(talks, json={"title": "2023/2024"}).json()
    assert talk["title"] == "2023/2024"
    nils.client.patch(f"{talks}/{talk['id']}", json={"title": "and/or"})
    assert [c["title"] for c in nils.client.get(talks).json()["conversations"]] == ["and/or"]
    assert session_id in {s["id"] for s in nils.client.get("/sessions").json()["sessions"]}
    assert nils.client.delete(f"/sessions/{session_id}").status_code == 204
    assert nils.client.get(f"/sessions/{session_id}").status_code == 404


def test_the_sample_library_loads(world: World) -> None:
    with person(world, "samples") as somebody:
        job = somebody.client.post(f"/sessions/{somebody.session_id}/samples")
        assert job.status_code == 202
        assert {r["outcome"] for r in job.json()["results"]} == {"accepted"}
        somebody.client.delete(f"/jobs/{job.json()['job_id']}")


def test_what_is_not_ready_says_when_to_ask_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(world.service), "ready", lambda _: False)
    with world.client() as nobody:
        refused = nobody.get("/ready")
    assert refused.status_code == 503
    assert refused.json() == {"ready": False}
    assert int(refused.headers["Retry-After"]) >= 1


def test_health_ready_and_status(world: World, ida: Person) -> None:
    with world.client() as nobody:
        assert nobody.get("/health").json() == {"status": "ok"}
        assert nobody.get("/ready").json() == {"ready": True}
        assert nobody.get("/status").status_code == 401
    parts = {part["name"]: part["state"] for part in ida.client.get("/status").json()}
    assert parts["Catalogue"] == "ok"


@pytest.mark.parametrize(
    "name", ["测试.pdf", "résumé.pdf", 'a"b\\c.txt', "x\r\nSet-Cookie: a=b.txt", "emoji 😀.md"]
)
def test_a_name_survives_the_header_of_a_download(name: str) -> None:
    header = disposition(name)
    assert header.isascii()
    assert "\r" not in header
    assert "\n" not in header
    assert header.startswith('attachment; filename="')
    shown = unquote(header.rpartition("''")[2])
    assert shown.endswith(name[-4:])
