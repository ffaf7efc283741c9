"""Uploads as they arrive: `multipart/form-data` to files on the disk, every byte counted here.

What a request says of its own length is not believed. Nothing of an upload is kept before all of
it has arrived within the limits: the files have no names and vanish when they are closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from core.config import Settings
from core.errors import InvalidRequest, NotEnoughSpace, TooLarge

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

_AT_ONCE = 1 << 18
"""Bytes that are written at once, on another thread than the one that answers everybody."""
_LONGEST_FIELD = 1000
_MOST_FIELDS = 10
_LONGEST_SILENCE = 30.0
_KIND = b"multipart/form-data"


@dataclass
class Upload:
    """What a form held: files by the names that were given, and fields. `close()` when done."""

    files: list[tuple[str, BinaryIO]] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    def close(self) -> None:
        """Let go of the files."""
        for _, file in self.files:
            file.close()


async def receive(request: Request, settings: Settings, spool: Callable[[], BinaryIO]) -> Upload:
    """Take in the body of a request.

    Raises `TooLarge`, `InvalidRequest`, `TimeoutError`; then nothing is left of it.
    """
    form = _Form(settings, spool)
    try:
        async with asyncio.timeout(settings.request_seconds):
            await _feed(request, form)
        return await run_in_threadpool(form.finish)
    except BaseException:
        form.upload.close()
        raise


async def _feed(request: Request, form: _Form) -> None:
    form.begin(request.headers.get("content-type", ""), request.headers.get("content-length", ""))
    stream = aiter(request.stream())
    waiting = bytearray()
    try:
        while True:
            async with asyncio.timeout(_LONGEST_SILENCE):
                piece = await anext(stream, None)
            if piece is not None:
                waiting += piece
            if waiting and (piece is None or len(waiting) >= _AT_ONCE):
                await run_in_threadpool(form.take, bytes(waiting))
                waiting.clear()
            if piece is None:
                return
    except ClientDisconnect:
        raise InvalidRequest("The upload was broken off.") from None


class _Form:
    """Reads a form piece by piece and writes its files; used by one thread at a time."""

    def __init__(self, settings: Settings, spool: Callable[[], BinaryIO]) -> None:
        self.upload = Upload()
        self._spool = spool
        self._most_files = settings.max_upload_files
        self._file_bytes = settings.max_file_mb * 1_000_000
        self._all_bytes = settings.max_upload_mb * 1_000_000
        self._taken = 0
        self._whole = False
        self._parser: MultipartParser | None = None
        self._header: tuple[bytearray, bytearray] = (bytearray(), bytearray())
        self._disposition = b""
        self._name = ""
        self._file: BinaryIO | None = None
        self._value = bytearray()
        self._size = 0
        self._parts = 0

    def begin(self, content_type: str, content_length: str) -> None:
        """Read the request's own headers: what cannot work is refused before anything comes."""
        kind, options = parse_options_header(content_type)
        if kind != _KIND or not (boundary := options.get(b"boundary")):
            raise InvalidRequest("This is no form with files.", "Send multipart/form-data.")
        if content_length.isdecimal() and int(content_length[:20]) > self._all_bytes:
            raise self._too_much()
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._part_begins,
            "on_header_begin": self._header_begins,
            "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
            "on_header_end": self._header_ends,
            "on_headers_finished": self._headers_end,
            "on_part_data": self._part_data,
            "on_part_end": self._part_ends,
            "on_end": self._ends,
        }
        try:
            self._parser = MultipartParser(boundary, callbacks)
        except FormParserError:
            raise self._not_readable() from None

    def take(self, data: bytes) -> None:
        """Read the next piece of the body."""
        self._taken += len(data)
        if self._taken > self._all_bytes:
            raise self._too_much()
        assert self._parser is not None
        try:
            self._parser.write(data)
        except FormParserError:
            raise self._not_readable() from None
        except OSError:
            raise NotEnoughSpace("The disk is full: the upload could not be stored.") from None

    def finish(self) -> Upload:
        """Give what was read, each file at its beginning."""
        if not self._whole:
            raise self._not_readable()
        for _, file in self.upload.files:
            file.seek(0)
        return self.upload

    # ------------------------------------------------------------- what the parser calls

    def _part_begins(self) -> None:
        self._parts += 1
        if self._parts > self._most_files + _MOST_FIELDS:
            raise self._too_many()
        self._disposition, self._name, self._file = b"", "", None
        self._value, self._size = bytearray(), 0

    def _header_begins(self) -> None:
        self._header = (bytearray(), bytearray())

    def _header_ends(self) -> None:
        if self._header[0].lower() == b"content-disposition":
            self._disposition = bytes(self._header[1])

    def _headers_end(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        if (name := options.get(b"filename")) is None:
            return
        if len(self.upload.files) >= self._most_files:
            raise self._too_many()
        self._file = self._spool()
        self.upload.files.append((name.decode("utf-8", "replace"), self._file))

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        self._size += end - start
        if self._file is None:
            if self._size > _LONGEST_FIELD:
                raise InvalidRequest("A field of the form is too long.", "Send files with names.")
            self._value += data[start:end]
            return
        if self._size > self._file_bytes:
            limit = self._file_bytes // 1_000_000
            raise TooLarge(f"A file is larger than the limit of {limit} MB.")
        self._file.write(data[start:end])

    def _part_ends(self) -> None:
        if self._file is None:
            self.upload.fields[self._name] = self._value.decode("utf-8", "replace")
        elif self._size == 0 and not self.upload.files[-1][0]:  # a form's empty file field
            self.upload.files.pop()[1].close()

    def _ends(self) -> None:
        self._whole = True

    def _too_much(self) -> TooLarge:
        limit = self._all_bytes // 1_000_000
        words = f"The request is larger than the limit of {limit} MB."
        return TooLarge(words, "Send less at once.")

    def _too_many(self) -> TooLarge:
        return TooLarge(
            f"The request holds more than {self._most_files} files.",
            "Send them in several requests.",
        )

    @staticmethod
    def _not_readable() -> InvalidRequest:
        return InvalidRequest("The form is not readable or not complete.", "Send it again.")
