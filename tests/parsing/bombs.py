"""Small files that are large work."""

from __future__ import annotations

import zlib


def pdf_with_stream(content: bytes, pages: int = 1) -> bytes:
    """A PDF whose pages all show one compressed stream."""
    packed = zlib.compress(content, 9)
    kids = b" ".join(b"%d 0 R" % (5 + number) for number in range(pages))
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]"
        b"/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>"
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(packed), packed),
        *[page] * pages,
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (size, table, size, len(out))
    )
