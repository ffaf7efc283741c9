"""What a reader's process hands back is a plain file of a bounded size: no link to what it may not
read, no pipe that is waited for, no gigabyte, nothing packed without end."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import ParserDied, TooLarge
from core.parsing import sandbox
from core.parsing.boxes import line_boxes, pack_boxes, unpack_boxes
from core.parsing.html import worker
from core.parsing.sandbox import load_in_child, render_page
from core.parsing.wire import LARGEST_RESULT, own_file, read_result, write_document
from core.types import DocumentKind, LoadedDocument, Page
from tests.parsing.files import pdf, written

pytestmark = pytest.mark.C30

SECRET = "The secret of another session."


def instead(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """A reader that is not confined and does `body` in its folder."""
    code = (
        "import json, os, sys; job = json.loads(sys.stdin.readline()); os.chdir(job['folder'])\n"
        f"{body}"
    )
    monkeypatch.setattr(sandbox, "_COMMAND", (sandbox._COMMAND[0], "-c", code))


def load(tmp_path: Path) -> LoadedDocument:
    return load_in_child(written(tmp_path / "a.txt", "text"), name="a.txt", settings=Settings())


@pytest.mark.parametrize("name", ["result.jsonl", "boxes.bin"])
@pytest.mark.parametrize("made", ["os.symlink({other!r}, {name!r})", "os.link({other!r}, {name!r})",
                                  "os.mkfifo({name!r})", "os.mkdir({name!r})"])  # fmt: skip
def test_only_a_plain_file_is_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, made: str
) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    write_document(folder, LoadedDocument(DocumentKind.TEXT, (Page(0, SECRET),)))
    others = {file: str(folder / file) for file in ("result.jsonl", "boxes.bin")}
    rest = next(file for file in others if file != name)
    copied = f"import shutil; shutil.copyfile({others[rest]!r}, {rest!r})"
    instead(monkeypatch, f"{made.format(other=others[name], name=name)}\n{copied}")
    with pytest.raises(ParserDied, match="without a result"):
        load(tmp_path)


@pytest.mark.parametrize("made", ["os.symlink({other!r}, 'page.png')", "os.mkfifo('page.png')"])
def test_only_a_plain_file_is_an_image(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: str
) -> None:
    source, other = pdf(tmp_path / "a.pdf", ["one"]), written(tmp_path / "secret", SECRET)
    instead(monkeypatch, made.format(other=str(other)))
    with pytest.raises(ParserDied):
        render_page(source, 0, settings=Settings(data_dir=tmp_path / "data"))


@pytest.mark.parametrize("name", ["result.jsonl", "boxes.bin", "page.png"])
def test_no_more_is_read_than_a_document_may_have(tmp_path: Path, name: str) -> None:
    write_document(tmp_path, LoadedDocument(DocumentKind.TEXT, (Page(0, "a"),)))
    with (tmp_path / name).open("ab") as file:
        file.truncate(LARGEST_RESULT)
    own_file(tmp_path / name).close()
    with (tmp_path / name).open("ab") as file:
        file.truncate(LARGEST_RESULT + 1)
    with pytest.raises(TooLarge, match="more text than one document"):
        own_file(tmp_path / name) if name == "page.png" else read_result(tmp_path)


def test_last_words_are_a_plain_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, "os.remove('stderr'); os.mkfifo('stderr'); sys.exit(7)")
    with pytest.raises(ParserDied, match="code 7"):
        load(tmp_path)


def test_boxes_that_grow_without_end_mark_nothing() -> None:
    boxes = pack_boxes([[1, 2, 3, 4]] * 5)
    assert len(unpack_boxes(boxes)) == 5
    bomb = zlib.compress(bytes(1 << 28), 9)
    for packed in (bomb, b"\x01" + bomb):
        assert len(unpack_boxes(packed)) == 0
        assert line_boxes(Page(0, "text", boxes=packed), 0, 4) == ()


@pytest.mark.parametrize("answer", [b"\xff\xff\xff\xff" * 2, b"\0\0\0\0\0\0\0\2{}"])
def test_a_page_is_no_answer_without_end(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    """The reader of web pages answers through a pipe, which tells how long the answer is."""
    code = f"import sys; sys.stdout.buffer.write({answer!r} + b'x' * 100); sys.stdout.flush()"
    monkeypatch.setattr(worker, "_COMMAND", (sandbox._COMMAND[0], "-c", code))
    reader = worker.Reader(Settings())
    with pytest.raises(ParserDied):
        reader.read(b"<p>text", "http://example.org/", "text/html", "utf-8")
    reader.close()
