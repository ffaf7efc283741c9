"""The room of a vector index in which nothing stands yet holds nothing of anybody's memory."""

from __future__ import annotations

import ctypes
import sys

import pytest

from core.storage.vectors.chroma.client import fresh_memory

pytestmark = pytest.mark.E15

ROOM = 180_400  # bytes: an index that Chroma begins with
WORD = b"qzxvmarker7f3a9c41"


@pytest.mark.skipif(sys.platform != "linux", reason="about the allocator of Linux")
def test_memory_that_is_asked_for_holds_nothing_of_what_was_there() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    fresh_memory()
    for size in (4_000_000, ROOM, ROOM * 2, ROOM):  # what was given back would be handed out again
        place = libc.malloc(size)
        ctypes.memmove(place, WORD * (size // len(WORD)), size // len(WORD) * len(WORD))
        libc.free(place)
    place = libc.malloc(ROOM)
    try:
        assert WORD not in ctypes.string_at(place, ROOM)
    finally:
        libc.free(place)
