"""The catalogue: the record of sessions, documents, their text, and conversations.

The two indexes hold ids and can be rebuilt from it. Every id reaches the database as a bound
value, and what belongs to a session is found with the session's id only. Each concept has a room
of its own in `core/storage/sql`; a method of a room is one transaction.

```python
catalogue = Catalogue(settings)
session = catalogue.sessions.create(owner_id, "My library")
catalogue.documents.list(session.id)
```
"""

from __future__ import annotations

from core.config import Settings
from core.storage.sql.collect_runs import CollectRuns
from core.storage.sql.content import Content
from core.storage.sql.conversations import Conversations
from core.storage.sql.cuts import Cuts
from core.storage.sql.database import Database
from core.storage.sql.documents import Documents
from core.storage.sql.evaluation_runs import EvaluationRuns
from core.storage.sql.golden_sets import GoldenSets
from core.storage.sql.jobs import Jobs
from core.storage.sql.keys import Keys
from core.storage.sql.owners import Owners
from core.storage.sql.sessions import Sessions
from core.storage.sql.shared_answers import SharedAnswers
from core.storage.sql.sharing import Sharing
from core.storage.sql.thumbs import Thumbs
from core.storage.sql.watched_files import WatchedFiles
from core.storage.sql.web_pages import WebPages


class Catalogue:
    """The rooms over one database; shared by worker threads and pages.

    Raises `StorageError` and its kinds where the disk or the database fails.
    """

    def __init__(self, settings: Settings) -> None:
        self.database = Database(settings)
        self.owners = Owners(self.database)
        self.sessions = Sessions(self.database)
        self.sharing = Sharing(self.database)
        self.keys = Keys(self.database)
        self.documents = Documents(self.database)
        self.cuts = Cuts(self.database)
        self.content = Content(self.database)
        self.web_pages = WebPages(self.database)
        self.jobs = Jobs(self.database)
        self.watched_files = WatchedFiles(self.database)
        self.conversations = Conversations(self.database)
        self.shared_answers = SharedAnswers(self.database)
        self.collect_runs = CollectRuns(self.database)
        self.golden_sets = GoldenSets(self.database)
        self.runs = EvaluationRuns(self.database)
        self.thumbs = Thumbs(self.database)

    def close(self) -> None:
        """Close the database."""
        self.database.close()
