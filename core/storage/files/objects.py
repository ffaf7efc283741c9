"""Files in an object store (S3), with copies of what was used last in a folder of this machine.

An object is put once and never overwritten. A tree, a crawl for example, is one archive a version:
the next version is put under its own name, so of two processes that changed the same one, the
second is refused. Addresses and keys come from the environment, as for any program of AWS:
`AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.config import Settings
from core.errors import OriginalsUnreachable, SettingsError, StorageError
from core.ids import is_uuid
from core.storage.files.folder import FolderStore, our_errors
from core.storage.files.port import StoredFile

log = logging.getLogger(__name__)

_AT_ONCE = 16_000_000  # bytes: what is larger goes in parts
_MOST_COPIED = 5_000_000_000  # bytes that a store copies at once
_PATIENCE = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=20),
    "backoff": {
        "init_backoff": timedelta(milliseconds=200),
        "max_backoff": timedelta(seconds=2),
        "base": 2,
    },
}
_SILENCE = timedelta(seconds=60)  # of the server, in which nothing more comes
_LONGEST = timedelta(hours=12)  # for one file: the client's own limit would cut slow ones off
_JUST_USED = 600.0  # seconds in which a copy, or a tree that is looked at, stays
_TIDY_EVERY = 600.0  # seconds between two looks at which copies are still stored
_REFUSED = re.compile(r"status code: 4\d\d")
_MARKER = ".stored"  # in a tree: which version of it the folder was, when it was stored
_INCOMING = "incoming"  # below a session: what is put in parts, before it has its key
_LEFT = 86_400.0  # seconds after which an object there has been left by a process that was killed
_NOT_PACKED = ("-wal", "-shm", ".lock", ".new")


class ObjectStore:
    """The objects of one bucket below one prefix; `local` has the copies, by the same keys."""

    def __init__(self, settings: Settings) -> None:
        try:
            import obstore
            from obstore import exceptions
            from obstore.store import S3Store
        except ImportError as error:
            raise SettingsError(
                "ORIGINALS_URL names an object store, and the client for it is not installed.",
                "Run `pip install -r requirements-grown.txt` (or install footnote[grown]).",
            ) from error
        bucket, _, prefix = settings.originals_url.removeprefix("s3://").partition("/")
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")
        if endpoint and not endpoint.startswith(("http://", "https://")):
            raise SettingsError("AWS_ENDPOINT_URL must begin with http:// or https://.")
        options: dict[str, Any] = {
            "client_options": {
                "connect_timeout": _SILENCE,
                "read_timeout": _SILENCE,
                "timeout": _LONGEST,
                "allow_http": endpoint.startswith("http://"),
            },
            "retry_config": _PATIENCE,
            "copy_if_not_exists": "multipart",  # with the condition of S3 itself
        }
        self._client: Any = obstore
        self._errors: Any = exceptions
        self._objects: Any = S3Store(bucket, prefix=prefix.strip("/") or None, **options)
        self._copies = FolderStore(settings.cache_dir)
        self.local = settings.cache_dir
        self._most = settings.originals_cache_mb * 1_000_000
        self._worked_on: Counter[str] = Counter()
        self._lock = threading.RLock()
        self._tidied = time.monotonic()
        self._sizes: dict[Path, tuple[int, int]] = {}  # of trees: when they were stored, bytes

    # --------------------------------------------------------------------------------- files

    def staging(self, session_id: str) -> Path:
        """Beside the copies, which it becomes one of."""
        return self._copies.staging(session_id)

    def put(self, key: str, file: Path) -> None:
        """Put the file unless the key is there, and keep it as a copy."""
        try:
            if self._is_put(key, file):
                self._copies.put(key, file)
                self._make_room()
        finally:
            file.unlink(missing_ok=True)

    def path(self, key: str) -> Path:
        """A copy, fetched where there is none. Raises `FileNotFoundError`."""
        with suppress(FileNotFoundError):
            return self._used(key)
        self._fetch(key)
        return self._used(key)

    def has(self, key: str) -> bool:
        """Whether an object is there."""
        with suppress(FileNotFoundError), self._our_errors():
            self._client.head(self._objects, key)
            return True
        return False

    def files(self, prefix: str) -> list[StoredFile]:
        """The objects right below a prefix."""
        found = ((one["path"].removeprefix(f"{prefix}/"), one) for one in self._list(f"{prefix}/"))
        return [
            StoredFile(name, one["size"], one["last_modified"].timestamp())
            for name, one in found
            if "/" not in name
        ]

    def remove(self, key: str) -> None:
        """Remove an object and its copy."""
        self._copies.remove(key)
        with suppress(FileNotFoundError), self._our_errors():
            self._client.delete(self._objects, key)

    def sessions(self) -> set[str]:
        """The ids of the sessions that have objects."""
        with self._our_errors():
            found = self._client.list_with_delimiter(self._objects)["common_prefixes"]
        return {name.strip("/") for name in found if is_uuid(name.strip("/"))}

    def remove_session(self, session_id: str) -> None:
        """Remove the objects of a session and their copies."""
        self._copies.remove_session(session_id)
        self._remove_below(session_id)

    def size(self) -> int:
        """The bytes of all originals."""
        return sum(one["size"] for one in self._list("") if "/originals/" in one["path"])

    def check(self) -> None:
        """Raise `StorageError` where the bucket is not there, or does not answer."""
        with self._our_errors():
            next(iter(self._client.list(self._objects, chunk_size=1)), None)

    # --------------------------------------------------------------------------------- trees

    def look(self, prefix: str) -> Path:
        """The folder of the last version; while it is worked on here, as it is now."""
        folder = self.local / prefix
        with self._lock:
            if not self._worked_on[prefix]:
                self._bring_up_to_date(prefix, folder)
            with suppress(FileNotFoundError):
                _touch(folder / _MARKER)
        return folder

    @contextmanager
    def work(self, prefix: str) -> Iterator[Path]:
        """The folder of the last version; what it is at the end becomes the next one.

        What a process that was killed here had not stored is gone on with, unless another one has
        stored a version since. Raises `StorageError` at the end where another process has.
        """
        with self._lock:  # both at once: between them the copy could be removed as an older one
            folder = self.look(prefix)
            self._worked_on[prefix] += 1
        try:
            yield folder
        finally:
            with self._lock:
                self._worked_on[prefix] -= 1
                if folder.is_dir():
                    self._store(prefix, folder)

    def remove_tree(self, prefix: str) -> None:
        """Remove all versions of a tree, and its folder."""
        with self._lock:
            self._copies.remove_tree(prefix)
            self._remove_below(prefix)

    def _bring_up_to_date(self, prefix: str, folder: Path) -> None:
        number, stored = self._latest(prefix)
        while stored != _version_of(folder):
            shutil.rmtree(folder, ignore_errors=True)
            if not stored:
                return
            with suppress(FileNotFoundError):  # another process has stored the next one meanwhile
                self._unpack(f"{prefix}/{_archive(number)}", folder, stored)
            number, stored = self._latest(prefix)

    def _unpack(self, key: str, folder: Path, version: str) -> None:
        self._fetch(key)
        try:
            with our_errors(), tarfile.open(self.local / key) as archive:
                folder.mkdir(parents=True, exist_ok=True)
                for member in archive:
                    if member.isfile():
                        archive.extract(member, folder, filter="data")
                (folder / _MARKER).write_text(version, "utf-8")
        except (tarfile.TarError, EOFError, zlib.error):
            raise StorageError(
                "What was collected of this source is damaged in the object store.",
                "Forget its runs on the Collect page, then collect it again.",
            ) from None
        finally:
            self._copies.remove(key)

    def _store(self, prefix: str, folder: Path) -> None:
        version = int(_version_of(folder).partition(" ")[0] or 0) + 1
        scratch_folder = self.local / prefix.partition("/")[0] / "scratch"
        with our_errors():
            scratch_folder.mkdir(parents=True, exist_ok=True)
        with our_errors(), tempfile.TemporaryDirectory(dir=scratch_folder) as scratch:
            packed = Path(scratch) / "packed"
            _pack(folder, packed)
            session_id = prefix.partition("/")[0]
            beside = f"{session_id}/{_INCOMING}/{uuid4()}"
            if not self._is_put(f"{prefix}/{_archive(version)}", packed, beside):
                raise StorageError(
                    "What was collected of this source was changed by another process meanwhile.",
                    "Refresh it: the pages that are there are not lost.",
                )
        versions = self._versions(prefix)
        (folder / _MARKER).write_text(versions.get(version, ""), "utf-8")
        for older in sorted(versions):
            if older < version:
                self.remove(f"{prefix}/{_archive(older)}")

    def _latest(self, prefix: str) -> tuple[int, str]:
        """The number of the last version of a tree, and what tells it; (0, "") where none is."""
        return max(self._versions(prefix).items(), default=(0, ""))

    def _versions(self, prefix: str) -> dict[int, str]:
        """The versions of a tree that are there, each with what tells it from any other."""
        found: dict[int, str] = {}
        for one in self._list(f"{prefix}/"):
            number = one["path"].rpartition("/")[2].partition(".")[0]
            if number.isdecimal():
                found[int(number)] = f"{int(number)} {one['e_tag']}"
        return found

    # -------------------------------------------------------------------------------- copies

    def tidy(self) -> None:
        """Remove copies of what is not stored any more, and those used longest ago over the limit.

        Another process may have removed an original whose copy is here.
        """
        if time.monotonic() - self._tidied < _TIDY_EVERY:
            return
        self._tidied = time.monotonic()
        self.tidy_now()

    def tidy_now(self) -> None:
        """The same, whenever it was done last. Raises `StorageError`."""
        for session_id in self._copies.sessions():
            listed = self._list(f"{session_id}/")
            stored = {one["path"] for one in listed}
            self._remove_left(session_id, listed)
            for below in ("originals", "collected/uploads"):
                for file in self._copies.files(f"{session_id}/{below}"):
                    key = f"{session_id}/{below}/{file.name}"
                    if key not in stored and not self._is_new(key):
                        self._copies.remove(key)
            for tree in self.local.glob(f"{session_id}/collected/*/"):
                if tree.name != "uploads":
                    self._tidy_tree(tree)
        self._make_room()

    def _tidy_tree(self, folder: Path) -> None:
        """Remove the copy of a tree that another process has changed or removed."""
        prefix = folder.relative_to(self.local).as_posix()
        with self._lock:
            if not self._worked_on[prefix]:
                _, latest = self._latest(prefix)
                if not latest or latest != _version_of(folder):
                    shutil.rmtree(folder, ignore_errors=True)

    def _is_new(self, key: str) -> bool:
        """Whether a copy was made or used a moment ago, maybe after the list of what is stored."""
        try:
            return time.time() - (self.local / key).stat().st_atime < _JUST_USED
        except FileNotFoundError:
            return True

    def _remove_left(self, session_id: str, listed: list[Any]) -> None:
        """Remove what was put in parts and never got its key, of a process that was killed."""
        for one in listed:
            age = time.time() - one["last_modified"].timestamp()
            if one["path"].startswith(f"{session_id}/{_INCOMING}/") and age > _LEFT:
                with suppress(FileNotFoundError), self._our_errors():
                    self._client.delete(self._objects, one["path"])

    def _make_room(self) -> None:
        """Remove the copies that were used longest ago, until they fit; trees as a whole."""
        copies: list[tuple[float, int, Path]] = []
        for pattern in ("*/originals/[!.]*", "*/collected/uploads/[!.]*"):
            for path in self.local.glob(pattern):
                with suppress(FileNotFoundError):
                    there = path.stat()
                    copies.append((there.st_atime, there.st_size, path))
        for marker in self.local.glob(f"*/collected/*/{_MARKER}"):
            with suppress(FileNotFoundError):
                size = self._size_of(marker)
                copies.append((marker.stat().st_atime, size, marker.parent))
        total = sum(size for _, size, _ in copies)
        for used, size, path in sorted(copies):
            if total <= self._most or time.time() - used < _JUST_USED:
                return
            if not path.is_dir():
                path.unlink(missing_ok=True)
            elif not self._is_dropped(path):
                continue
            total -= size

    def _size_of(self, marker: Path) -> int:
        """The bytes of a tree; looked at once for each time that it was stored or fetched."""
        folder, made = marker.parent, marker.stat().st_mtime_ns
        known = self._sizes.get(folder)
        if known is None or known[0] != made:
            sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
            known = self._sizes[folder] = (made, sum(sizes))
        return known[1]

    def _is_dropped(self, folder: Path) -> bool:
        """Remove the copy of a tree unless it is in use, or holds what was never stored."""
        prefix = folder.relative_to(self.local).as_posix()
        if not self._lock.acquire(blocking=False):  # one is being stored: at another time
            return False
        try:
            if self._worked_on[prefix]:
                return False
            stored = (folder / _MARKER).stat().st_mtime
            files = (path for path in folder.rglob("*") if not path.name.endswith(_NOT_PACKED))
            if any(path.is_file() and path.stat().st_mtime > stored for path in files):
                return False
            shutil.rmtree(folder, ignore_errors=True)
            self._sizes.pop(folder, None)
            return True
        finally:
            self._lock.release()

    def _used(self, key: str) -> Path:
        path = self._copies.path(key)
        _touch(path)
        return path

    def _fetch(self, key: str) -> None:
        with self._our_errors():
            found = self._client.get(self._objects, key)
        handle, name = tempfile.mkstemp(prefix=".incoming-", dir=self.staging(key.split("/")[0]))
        try:
            with our_errors(), self._our_errors(), os.fdopen(handle, "wb") as file:
                for piece in found.stream():
                    file.write(piece)
            self._copies.put(key, Path(name))
        finally:
            Path(name).unlink(missing_ok=True)
        self._make_room()

    # -------------------------------------------------------------------------------- inside

    def _is_put(self, key: str, file: Path, beside: str = "") -> bool:
        """Put a file under a key that is not there; False where it is.

        A put in parts has no condition. An original is the same bytes whoever puts it, so a look
        before is enough; anything else goes to `beside` and is copied from there on condition.
        """
        with our_errors():
            size = file.stat().st_size
        in_parts = size > _AT_ONCE
        if in_parts and self.has(key):
            return False
        how = {"chunk_size": _AT_ONCE, "max_concurrency": 4} if in_parts else {"mode": "create"}
        first = beside if in_parts and beside and size <= _MOST_COPIED else key
        with self._our_errors():
            try:
                self._client.put(self._objects, first, file, **how)
                if first != key:
                    self._client.copy(self._objects, first, key, overwrite=False)
            except self._errors.AlreadyExistsError:
                return False
            except FileNotFoundError as error:  # the bucket
                raise _refused(error) from None
            finally:
                if first != key:
                    with suppress(FileNotFoundError, self._errors.BaseError):
                        self._client.delete(self._objects, first)
        return True

    def _list(self, prefix: str) -> list[Any]:
        with self._our_errors():
            return [one for some in self._client.list(self._objects, prefix) for one in some]

    def _remove_below(self, prefix: str) -> None:
        with self._our_errors():
            self._client.delete(self._objects, [one["path"] for one in self._list(f"{prefix}/")])

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        """Raise what the store refuses as one of our errors; `FileNotFoundError` as it is."""
        refused = (self._errors.PermissionDeniedError, self._errors.UnauthenticatedError)
        try:
            yield
        except refused as error:
            raise _refused(error) from None
        except self._errors.BaseError as error:
            if _REFUSED.search(_first_line(error)):
                raise _refused(error) from None
            log.warning("The object store: %s", _first_line(error))
            raise OriginalsUnreachable(
                "The object store of the originals does not answer."
            ) from None


def _touch(path: Path) -> None:
    """Note that a copy is used."""
    os.utime(path, (time.time(), path.stat().st_mtime))


def _version_of(folder: Path) -> str:
    """Which version of a tree a folder was; "" for none that is stored."""
    marker = folder / _MARKER
    return marker.read_text("utf-8") if marker.is_file() else ""


def _archive(version: int) -> str:
    return f"{version:08}.tar.gz"


def _pack(folder: Path, target: Path) -> None:
    """Write the files of a tree into an archive, databases as of one moment."""
    with tarfile.open(target, "w:gz", compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            hidden = any(part.startswith(".") for part in name.parts)
            if hidden or not path.is_file() or path.name.endswith(_NOT_PACKED):
                continue
            if path.suffix != ".db":
                archive.add(path, str(name))
                continue
            copy = target.with_name("copy.db")
            with closing(sqlite3.connect(path)) as one, closing(sqlite3.connect(copy)) as other:
                one.backup(other)
            archive.add(copy, str(name))
            copy.unlink()


def _refused(error: Exception) -> StorageError:
    log.warning("The object store refused: %s", _first_line(error))
    return StorageError(
        "The object store of the originals refused.",
        "See that ORIGINALS_URL names a bucket that is there, and that the keys in the environment "
        "(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) may read, write, list and delete in it.",
    )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
