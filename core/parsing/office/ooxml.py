"""Office packages (DOCX, PPTX, XLSX), with a check of their unpacked size before they are opened.

The central directory is checked before anything is unpacked. XML is parsed without entities,
DTDs and network, so that a package can neither expand nor refer to files and addresses.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import DamagedFile, PasswordProtected, TooComplex, TooLarge
from core.types import Notice

_MOST_ENTRIES = 5_000
_LARGEST_PART = 64 << 20  # bytes of one XML part, unpacked
_LARGEST_TOTAL = 128 << 20  # bytes of all XML parts together
_STEEPEST = 200  # times its packed size; office XML rarely exceeds 30
_STEEP_FROM = 8 << 20
_ENCRYPTED = 0x1
_RELATIONSHIP = "http://schemas.openxmlformats.org/package/2006/relationships"


@dataclass(slots=True)
class Package:
    """An office file whose XML parts can be read one by one."""

    archive: zipfile.ZipFile
    dropped_entities: bool = False
    broken: list[str] = field(default_factory=list)

    def part(self, name: str) -> Any | None:
        """Return the root element of a part, or None if it is missing or broken (then noted)."""
        if name not in self.archive.NameToInfo:
            return None
        try:
            return self._parse(self.archive.read(name))
        except _FAULTS:
            self.broken.append(name)
            return None

    def required(self, name: str) -> Any:
        """As `part`, but raises `DamagedFile` if it cannot be read."""
        root = self.part(name)
        if root is None:
            raise DamagedFile("The file is damaged: its main part cannot be read.")
        return root

    def elements(self, name: str, *tags: str) -> Iterator[Any]:
        """Return the elements of a part with these local names, each when it has been read.

        Each is emptied behind its turn, so that a large part takes little memory. A part that is
        missing or broken is noted; what is before the fault is returned.
        """
        from lxml import etree

        if name not in self.archive.NameToInfo:
            self.broken.append(name)
            return
        try:
            with self.archive.open(name) as stream:
                events = etree.iterparse(
                    stream,
                    tag=[f"{{*}}{tag}" for tag in tags],
                    resolve_entities=False,
                    no_network=True,
                    load_dtd=False,
                )
                for _, element in events:
                    yield element
                    _forget(element)
                if events.root.getroottree().docinfo.internalDTD is not None:
                    self.dropped_entities = True
        except _FAULTS:
            self.broken.append(name)

    def related(self, name: str) -> dict[str, tuple[str, str]]:
        """Return the parts that a part refers to, id to (kind, name), within the package."""
        folder, base = posixpath.split(name)
        root = self.part(f"{folder}/_rels/{base}.rels")
        found: dict[str, tuple[str, str]] = {}
        for link in [] if root is None else root.iter(f"{{{_RELATIONSHIP}}}Relationship"):
            if link.get("TargetMode") != "External" and link.get("Id"):
                target = posixpath.normpath(posixpath.join(folder, link.get("Target", "")))
                kind = link.get("Type", "").rsplit("/", 1)[-1]
                found[link.get("Id")] = kind, target.lstrip("/")
        return found

    def notices(self) -> Iterator[Notice]:
        """Return notices of what could not be read."""
        if self.dropped_entities:
            yield Notice(
                "entities-left-out",
                "The file defines its own XML entities; text that they stand for was left out.",
                "Open it in its own program and save it again.",
            )
        if self.broken:
            yield Notice(
                "parts-unreadable",
                f"{len(self.broken):,} parts of the file are damaged and were left out.",
                DamagedFile.cure,
            )

    def _parse(self, data: bytes) -> Any:
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        root = etree.fromstring(data, parser)
        if root.getroottree().docinfo.internalDTD is not None:
            self.dropped_entities = True
        return root


def open_package(path: Path) -> Package:
    """Open an office file.

    Raises `TooLarge` (before unpacking), `PasswordProtected` and `DamagedFile`.
    """
    try:
        archive = zipfile.ZipFile(path)
    # zipfile raises `NotImplementedError` for a ZIP version that it does not support.
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise DamagedFile("The file is damaged: its directory cannot be read.") from None
    _check(archive.infolist())
    return Package(archive)


def local(element: Any) -> str:
    """Return an element's name without its namespace; "" for comments and entities.

    Transitional and strict files differ only in their namespaces.
    """
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Any, name: str) -> str | None:
    """Return an attribute by its local name, in any namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return None


def child(element: Any, *names: str) -> Any | None:
    """Follow a path of local names down; None if there is no such element."""
    for name in names:
        element = next((inner for inner in element if local(inner) == name), None)
        if element is None:
            return None
    return element


def all_named(element: Any, *names: str) -> Iterator[Any]:
    """Return the descendants with one of these local names, in order."""
    wanted = frozenset(names)
    return (inner for inner in element.iter() if local(inner) in wanted)


def _forget(element: Any) -> None:
    """Empty an element that was read, and drop what stands before it and before those above it."""
    element.clear()
    above = element
    while (parent := above.getparent()) is not None:
        while above.getprevious() is not None:
            del parent[0]
        above = parent


def _check(entries: Iterable[zipfile.ZipInfo]) -> None:
    entries = list(entries)
    if len(entries) > _MOST_ENTRIES:
        raise TooLarge(
            f"The file unpacks to {len(entries):,} parts; {_MOST_ENTRIES:,} are allowed."
        )
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise PasswordProtected("The file is protected by a password.")
    texts = [e for e in entries if e.filename.lower().endswith((".xml", ".rels"))]
    total = sum(entry.file_size for entry in texts)
    steep = any(
        entry.file_size > _STEEP_FROM and entry.file_size > _STEEPEST * entry.compress_size
        for entry in texts
    )
    if steep or total > _LARGEST_TOTAL or any(e.file_size > _LARGEST_PART for e in texts):
        raise TooLarge(f"The file unpacks to {total >> 20:,} MB of text, which is over the limit.")


def _faults() -> tuple[type[Exception], ...]:
    from lxml import etree

    return (
        zipfile.BadZipFile,
        zlib.error,
        etree.XMLSyntaxError,
        NotImplementedError,  # a compression that zipfile does not know
        EOFError,
        OSError,
        ValueError,
        TooComplex,
    )


_FAULTS = _faults()
