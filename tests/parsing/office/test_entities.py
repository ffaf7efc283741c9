"""Entities of a document reach no file and no address, and what they dropped is said."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from core.errors import DamagedFile
from tests.parsing.files import package, read

pytestmark = pytest.mark.C14

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def document(dtd: str, text: str) -> str:
    return (
        f'<?xml version="1.0"?>{dtd}<w:document xmlns:w="{W}"><w:body><w:p><w:r>'
        f"<w:t>before {text} after</w:t></w:r></w:p><w:p><w:r><w:t>end</w:t></w:r></w:p>"
        "</w:body></w:document>"
    )


def test_a_file_of_the_server_does_not_leak(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("keys of the house")
    dtd = f'<!DOCTYPE w [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    loaded = read(package(tmp_path / "a.docx", {"word/document.xml": document(dtd, "&x;")}))
    text = loaded.pages[0].text
    assert "before" in text
    assert "end" in text
    assert "keys of the house" not in text
    assert [notice.code for notice in loaded.notices] == ["entities-left-out"]


def test_no_address_is_asked(tmp_path: Path) -> None:
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        port = server.getsockname()[1]

        def listen() -> None:
            try:
                server.accept()[0].close()
                asked.append(True)
            except TimeoutError:
                pass

        thread = threading.Thread(target=listen)
        thread.start()
        address = f"http://127.0.0.1:{port}/"
        dtd = f'<!DOCTYPE w SYSTEM "{address}w.dtd" [<!ENTITY x SYSTEM "{address}x">]>'
        read(package(tmp_path / "a.docx", {"word/document.xml": document(dtd, "&x;")}))
        thread.join()
    assert asked == []


def test_entities_that_multiply_are_refused(tmp_path: Path) -> None:
    levels = "".join(
        f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "lol">' for n in range(10)
    )
    dtd = f"<!DOCTYPE w [{levels}]>"
    began = time.thread_time()
    with pytest.raises(DamagedFile):
        read(package(tmp_path / "a.docx", {"word/document.xml": document(dtd, "&l9;")}))
    assert time.thread_time() - began < 2
