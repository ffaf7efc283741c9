"""What somebody uploaded is given back as a file, and never as a page of this site."""

from __future__ import annotations

import hashlib
from urllib.parse import unquote

import pytest

from tests.api.server import World, person

pytestmark = pytest.mark.D06

SCRIPT = "<html><body><script>alert(document.cookie)</script> A page about whales.</body></html>"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><text>Whales</text></svg>'


@pytest.mark.parametrize(
    ("name", "content"),
    [("page.html", SCRIPT), ("drawing.svg", DRAWING), ("测试 “x”.txt", "Whales sing.")],
)
def test_an_original_has_no_power_over_the_site(world: World, name: str, content: str) -> None:
    with person(world, "downloads") as somebody:
        form = {"session_id": somebody.session_id}
        files = {"files": (name, content)}
        job = somebody.client.post("/ingest-files/", files=files, data=form).json()
        document = job["results"][0]["document"]
        got = somebody.client.get(
            f"/sessions/{somebody.session_id}/documents/{document['id']}/original"
        )
        assert hashlib.sha256(got.content).hexdigest() == document["id"]
        assert got.headers["content-type"] == "application/octet-stream"
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["content-security-policy"] == "sandbox; default-src 'none'"
        disposition = got.headers["content-disposition"]
        assert disposition.startswith("attachment;")
        assert unquote(disposition.rpartition("''")[2]) == document["label"]
        somebody.client.delete(f"/sessions/{somebody.session_id}")
