"""Deny the process that reads a file access to other files, the network and other processes.

Two facilities of Linux work without privileges: Landlock (https://docs.kernel.org/userspace-api/landlock.html)
for files and connections, and a seccomp filter for system calls that reading a file never needs.
Each is used if the kernel has it. `python -m core.parsing.confinement` reports what is in force.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import json
import os
import platform
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION, _PATH_BENEATH = 1, 1
_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE = (
    1 << 1, 1 << 4, 1 << 5, 1 << 7, 1 << 8,
)  # fmt: skip
_TRUNCATE = 1 << 14
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""The file rights that Landlock knows, by the version that introduced them."""
_CONNECTIONS = 0b11  # to bind and to connect, since version 4
_SCOPES = 0b11  # abstract sockets and signals, since version 6

_DENIED = {
    # socket, socketpair, connect, bind, ptrace, execve, execveat, process_vm_readv and _writev,
    # io_uring_setup, bpf, unshare, setns, mount, keyctl, pidfd_getfd, open_by_handle_at,
    # perf_event_open, kill, pidfd_send_signal
    "x86_64": (0xC000003E, (41, 53, 42, 49, 101, 59, 322, 310, 311, 425, 321, 272, 308, 165, 250,
                            438, 304, 298, 62, 424)),
    "aarch64": (0xC00000B7, (198, 199, 203, 200, 117, 221, 281, 270, 271, 425, 280, 97, 268, 40,
                             219, 438, 265, 241, 129, 424)),
}  # fmt: skip
"""The refused system calls by architecture: its audit number, and the numbers of the calls."""
_X32 = 0x40000000  # on x86_64, the calls of the x32 ABI are numbered from here
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_SYSTEM = (
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo",
    "/usr/share/fonts", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/proc/cpuinfo",
    "/proc/meminfo", "/sys/devices/system/cpu", "/dev/urandom", "/dev/zero",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a process that reads files is denied on this system."""

    files: bool = False  # files outside of the program and its own folder
    connections: bool = False
    processes: bool = False  # inspecting, signalling or starting others


def confine(readable: Iterable[Path] = (), folder: Path | None = None) -> None:
    """Keep only the rights to read the program and these files, and to write in this folder.

    Call it before starting a second thread. Facilities that the kernel lacks are skipped.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return
    _restrict_files(libc, [*_program(), *readable], folder)
    _refuse_calls(libc)


def _program() -> list[Path]:
    """Return the folders of Python, its libraries and this program, but none with data."""
    named = ("stdlib", "platstdlib", "purelib", "platlib")
    python = {sysconfig.get_path(name) for name in named} | {sys.base_prefix}
    core = Path(__file__).resolve().parent.parent
    libraries = {entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))}
    return [core, *map(Path, sorted(filter(None, python | libraries))), *map(Path, _SYSTEM)]


def _restrict_files(libc: ctypes.CDLL, readable: Iterable[Path], folder: Path | None) -> None:
    version = libc.syscall(_CREATE_RULESET, None, 0, _VERSION)
    if version < 1:
        return
    known = max(rights for first, rights in _RIGHTS.items() if first <= version)
    attributes = struct.pack("=Q", known)
    if version >= 4:
        attributes += struct.pack("=Q", _CONNECTIONS)
    if version >= 6:
        attributes += struct.pack("=Q", _SCOPES)
    ruleset = libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return
    own = _READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE
    own |= _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE
    try:
        for path in readable:
            _allow(libc, ruleset, path, _READ_FILE | _READ_DIR)
        _allow(libc, ruleset, Path("/dev/null"), _READ_FILE | _WRITE_FILE)
        if folder is not None:
            _allow(libc, ruleset, folder, own & known)
        libc.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    with contextlib.suppress(OSError):  # a path that does not exist needs no rule
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not path.is_dir():
                rights &= ~_READ_DIR
            rule = struct.pack("=Qi", rights, handle)
            libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
        finally:
            os.close(handle)


def _refuse_calls(libc: ctypes.CDLL) -> None:
    """Install a BPF filter: denied calls and those of other architectures fail with EPERM."""
    if platform.machine() not in _DENIED:
        return
    number, denied = _DENIED[platform.machine()]
    load, equal, above, give = 0x20, 0x15, 0x35, 0x06
    code = [
        (load, 0, 0, 4),  # the processor
        (equal, 1, 0, number),
        (give, 0, 0, _REFUSE),
        (load, 0, 0, 0),  # the call
        (above, len(denied) + 1, 0, _X32),
        *((equal, len(denied) - at, 0, call) for at, call in enumerate(denied)),
        (give, 0, 0, _ALLOW),
        (give, 0, 0, _REFUSE),
    ]
    program = b"".join(struct.pack("=HBBI", *one) for one in code)
    buffer = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("@HP", len(code), ctypes.addressof(buffer))
    libc.prctl(_SET_SECCOMP, _FILTER, filter_, 0, 0)


# ------------------------------------------------------------------------- what holds here


@functools.cache
def holds() -> Confinement:
    """Return what a child process is denied; tried once, by starting one."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            tried = subprocess.run(
                [sys.executable, "-P", "-s", "-m", "core.parsing.confinement"],
                input=json.dumps({"folder": folder, "foreign": str(Path(folder).parent)}),
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
                env={"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            )
            return Confinement(**json.loads(tried.stdout))
        except (OSError, ValueError, TypeError, subprocess.SubprocessError):
            return Confinement()


def _try() -> Confinement:
    job = json.loads(sys.stdin.read())
    confine(folder=Path(job["folder"]))
    return Confinement(
        files=_refused(lambda: os.listdir(job["foreign"])),
        connections=_refused(lambda: socket.socket().close()),
        processes=_refused(lambda: os.kill(os.getppid(), 0))
        and _refused(lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes()),
    )


def _refused(what: Callable[[], object]) -> bool:
    try:
        what()
    except PermissionError:
        return True
    return False


if __name__ == "__main__":
    found = _try()
    print(json.dumps({name: getattr(found, name) for name in Confinement.__slots__}))
