"""Write a small library as this version writes it: `python -m tests.upgrade.make_library`.

Done once for each version of the catalogue, before the next one comes; the file is named after it
and stays as it is. `test_upgrade.py` opens every one of them.
"""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from core.service import Service
from core.storage.sql.schema import SCHEMA_VERSION
from core.types import AskRequest, Role
from tests.conftest import eventually, settings_in, settled
from tests.support.small_library import FACTS, QUESTIONS

FOLDER = Path(__file__).parent
QUESTION = QUESTIONS["lighthouse.txt"]
WHEN = (2026, 11, 22, 0, 0, 0)


def main() -> None:
    """Make the file for the present version."""
    with tempfile.TemporaryDirectory() as place:
        write(Path(place))
        target = FOLDER / f"library-{SCHEMA_VERSION}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(Path(place).rglob("*")):
                if path.is_file() and path.name != "reserve":
                    name = path.relative_to(place).as_posix()
                    archive.writestr(zipfile.ZipInfo(name, WHEN), path.read_bytes(),
                                     zipfile.ZIP_DEFLATED)  # fmt: skip
    print(f"{target}: {target.stat().st_size:,} bytes")


def write(place: Path) -> None:
    """A person's session with documents, a conversation, a member, a key and a golden set."""
    service = Service(settings_in(place))
    try:
        assert service.wait_ready(120)
        owner = service.owners.for_token("somebody")
        session = service.sessions.create(owner, "Facts")
        added = [
            service.documents.add_file(session, name, text.encode()) for name, text in FACTS.items()
        ]
        service.documents.create_job(session, added)
        settled(service, session)
        talk = service.conversations.create(session, QUESTION)
        list(service.ask(AskRequest(session, QUESTION, talk.id)))
        service.keys.create(owner, "old key")
        nils = service.owners.for_token("nils")
        service.catalogue.owners.sign_in(nils, "Nils", "nils@example.org")
        service.catalogue.sharing.set_member(session.id, "nils@example.org", Role.READER)
        service.catalogue.sharing.set_member(session.id, "eva@example.org", Role.READER)
        line = '{"question": "Who built the lighthouse?", "answers": ["Ida Holm"], "sources": []}'
        service.evaluations.upload(session, "set.jsonl", line.encode())
        assert eventually(service.catalogue.database.erased)
    finally:
        service.close()


if __name__ == "__main__":
    main()
