"""The tree of everything that can go wrong. A leaf: imports nothing of ours.

```
AppError
|- SettingsError
|- InvalidRequest
|- Busy
|- AccessError      KeyRequired  KeyRefused  NotAllowed  ForeignSite  TooManyRequests
|- StorageError     DataDirectoryInUse  DataDirectoryUnusable  NotEnoughSpace  IndexDamaged
|                   ModelChanged  DatabaseUnreachable  ProgramOutdated  IndexUnreachable
|                   OriginalsUnreachable
|- NotFound         SessionNotFound  DocumentNotFound  ConversationNotFound  PageNotFound
|                   JobNotFound  RunNotFound  KeyNotFound  MemberNotFound  InvalidId
|- IngestionError   EmptyFile  UnsupportedType  PasswordProtected  DamagedFile
|                   NoReadableText  TooLarge  TooComplex  ParserDied  Interrupted
|- FetchError       InvalidUrl  AddressNotAllowed  FetchFailed  FetchTooLarge  FetchTimeout
|                   BadStatus
|- ModelError       ModelUnavailable  ModelUnreachable  ModelMissing  ModelBusy  BadKey
|                   QuotaExceeded  ModelTimeout  StreamInterrupted  EmptyAnswer  AnswerBlocked
|                   ContextTooLong  ModelFailed
`- WebSearchError   WebSearchOff  WebSearchUnreachable  WebSearchForbidden  WebSearchLimited
                    WebSearchEnginesFailed  WebSearchBadAnswer  WebSearchBusy
```

Every error carries `message` (what happened, for the person) and `cure` (what to do). Neither
holds paths of the server, keys, or text of a foreign exception.
"""

from __future__ import annotations


class AppError(Exception):
    """Base of all our errors: `message` says what happened, `cure` what to do about it."""

    cure: str = ""

    def __init__(self, message: str, cure: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if cure is not None:
            self.cure = cure

    @property
    def code(self) -> str:
        """The class name: a stable name for programs."""
        return type(self).__name__


class SettingsError(AppError):
    """A setting is missing, mistyped or out of range."""

    cure = "Correct it in the environment or in .env; README.md lists every setting."


class InvalidRequest(AppError):
    """What was asked for cannot be done as it was asked."""

    cure = "Correct what the message names, and try again."


# ----------------------------------------------------------------------------------- access


class AccessError(AppError):
    """A program or a browser may not do what it asks for."""


class KeyRequired(AccessError):
    """Nobody is let in here without a key."""

    cure = "Create a key on the Status page and send it as `Authorization: Bearer fn_...`."


class KeyRefused(AccessError):
    """The key is unknown or was revoked."""

    cure = "Create a new key on the Status page."


class NotAllowed(AccessError):
    """The key, or the role in a session, is good, but not for this."""

    cure = "Use a key that is not limited to one session."


class ForeignSite(AccessError):
    """A page of another web site sent the request with this browser."""

    cure = "Programs send a key; pages of other sites cannot use the API."


class TooManyRequests(AccessError):
    """More requests than allowed; `retry_after` is the wait in seconds."""

    cure = "Wait a little, or raise API_REQUESTS_PER_MINUTE."

    def __init__(self, message: str, cure: str | None = None, *, retry_after: float = 1.0) -> None:
        super().__init__(message, cure)
        self.retry_after = retry_after


class Busy(AppError):
    """Too many questions wait already; `retry_after` is the wait in seconds."""

    cure = "Wait until some of them are answered, then ask again."

    def __init__(self, message: str, cure: str | None = None, *, retry_after: float = 10.0) -> None:
        super().__init__(message, cure)
        self.retry_after = retry_after


# ---------------------------------------------------------------------------------- storage


class StorageError(AppError):
    """The catalogue, the vectors, the lexical index or the disk."""

    cure = "Open the Status page: it names the part that failed and what mends it."


class DataDirectoryInUse(StorageError):
    """Another process owns the data directory."""

    cure = "Stop that process first, or give this one its own DATA_DIR and CHROMA_DIR."


class DataDirectoryUnusable(StorageError):
    """The data directory cannot be read or written."""

    cure = "Give the account that runs the program the right to write there, or set DATA_DIR."


class NotEnoughSpace(StorageError):
    """The disk has too little free space for the work."""

    cure = "Free some space or remove documents, then press Retry."


class IndexDamaged(StorageError):
    """An index does not find what the catalogue says is in it."""

    cure = "It is rebuilt from the catalogue by itself; wait until the Status page says so."


class ModelChanged(StorageError):
    """The vectors of a session were made with another embedding model."""

    cure = "Rebuild the indexes on the Status page, or set EMBEDDING_MODEL back."


class DatabaseUnreachable(StorageError):
    """The database of the catalogue ended, or cannot be reached."""

    cure = "Try again in a moment; if it stays, see that it runs where DATABASE_URL says."


class ProgramOutdated(DatabaseUnreachable):
    """A later version changed the database so far that this program cannot work on it."""

    cure = "Stop this process, and start the version that the others have."


class IndexUnreachable(DatabaseUnreachable):
    """The server of vectors and words ended, or cannot be reached; nothing in it is damaged."""

    cure = "Try again in a moment; if it stays, see that it runs where INDEX_URL says."


class OriginalsUnreachable(StorageError):
    """The object store of the originals cannot be reached, or fails."""

    cure = "Try again in a moment; if it stays, see that the store at ORIGINALS_URL runs."


# -------------------------------------------------------------------------------- not found


class NotFound(AppError):
    """It does not exist, or it belongs to somebody else: the two look the same."""

    cure = "It may have been removed; go back to the list of what is there."


class SessionNotFound(NotFound):
    """No such session for this person."""

    cure = "Choose one of your sessions in the side bar, or create one."


class DocumentNotFound(NotFound):
    """No such document in this session."""

    cure = "It may have been removed; the Documents page lists what is there."


class ConversationNotFound(NotFound):
    """No such conversation in this session."""

    cure = "It may have been deleted; the side bar lists what is there."


class PageNotFound(NotFound):
    """The document has no such page."""


class JobNotFound(NotFound):
    """No such ingest call for this person."""

    cure = "Jobs of deleted sessions are gone, and only the latest of a session are remembered."


class RunNotFound(NotFound):
    """No such run of collecting in this session."""


class KeyNotFound(NotFound):
    """No such API key of this person."""


class MemberNotFound(NotFound):
    """The session is shared with nobody of this address."""

    cure = "It may have been removed already; the list of members says who there is."


class InvalidId(NotFound):
    """The id is not of the form that ours have; it never reaches a path or a store."""


# -------------------------------------------------------------------------------- ingestion


class IngestionError(AppError):
    """One document could not be read; the others are not affected."""


class EmptyFile(IngestionError):
    """The file holds no bytes, or nothing but white space."""

    cure = "Check that the file was saved completely, then add it again."


class UnsupportedType(IngestionError):
    """The content is of no format that can be read."""

    cure = "Save it in a format that can be read, such as PDF, and add that."


class PasswordProtected(IngestionError):
    """The file is encrypted and needs a password."""

    cure = "Save a copy without a password and add that."
    cure_of_pdf = "Press Password and enter it, or add a copy without a password."


class DamagedFile(IngestionError):
    """The file is broken: its structure cannot be read."""

    cure = "Open it in its own program and save it again, then add the new copy."


class NoReadableText(IngestionError):
    """The file was read, but there is no text in it."""

    cure = "If it is a scan, turn OCR on (OCR=true); otherwise there is nothing to search in it."


class TooLarge(IngestionError):
    """The file, or what it unpacks to, is over a limit."""

    cure = "Split it into smaller files, or raise the limit in the settings."


class TooComplex(IngestionError):
    """Reading took more time or memory than one file may take."""

    cure = "Print it to a new PDF or export it as text, and add that."


class ParserDied(IngestionError):
    """The process that read the file ended abruptly; the program itself goes on."""

    cure = "The file may be damaged: save it again in its own program and add the new copy."


class Interrupted(IngestionError):
    """The work was stopped before it was done."""

    cure = "Press Resume or Retry."


# --------------------------------------------------------------------------------- fetching


class FetchError(AppError):
    """A web address could not be read."""


class InvalidUrl(FetchError):
    """Not a web address that can be fetched."""

    cure = "Give a whole address that begins with http:// or https://."


class AddressNotAllowed(FetchError):
    """The address leads into a private network or to a refused port."""

    cure = "Only public web addresses can be added; an operator may list ALLOWED_PRIVATE_HOSTS."


class FetchFailed(FetchError):
    """The server could not be reached or broke the connection."""

    cure = "Check the address in a browser and try again later."


class FetchTooLarge(FetchError):
    """The page is larger than the limit."""

    cure = "Download the part that matters and add it as a file."


class FetchTimeout(FetchError):
    """The page did not arrive in time."""

    cure = "Try again later, or download the page and add it as a file."


class BadStatus(FetchError):
    """The server answered with an error; nothing of its page is kept.

    `status` is the HTTP status, 0 when unknown; `retry_after` the seconds to wait, if it said.
    """

    cure = "Check the address in a browser; pages behind a login must be saved and added as files."

    def __init__(
        self,
        message: str,
        cure: str | None = None,
        *,
        status: int = 0,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message, cure)
        self.status = status
        self.retry_after = retry_after


# ----------------------------------------------------------------------------------- models


class ModelError(AppError):
    """A model could not do its work. `retry` says whether trying again may help.

    `retry_after` is the wait that the server asked for, in seconds.
    """

    retry: bool = False
    retry_after: float | None = None


class ModelUnavailable(ModelError):
    """The weights of a local model cannot be had, or are not the expected ones."""

    cure = "Install the package or set another model name; the Status page names the setting."


class ModelUnreachable(ModelError):
    """The model's server does not answer."""

    retry = True


class ModelMissing(ModelError):
    """The server does not have this model."""


class ModelBusy(ModelError):
    """The server is at its limit."""

    retry = True
    cure = "Wait a little and press Retry."


class BadKey(ModelError):
    """The key was refused."""

    cure = "Enter a valid key in the model settings of the side bar."


class QuotaExceeded(ModelError):
    """The account's quota is used up."""

    retry = True
    cure = "Wait until the quota is renewed, or choose another model."


class ModelTimeout(ModelError):
    """The model said nothing for too long."""

    retry = True
    cure = "Press Retry, choose a smaller model, or raise the time limits in the settings."


class StreamInterrupted(ModelError):
    """The stream ended without its proper end; what came is kept and marked."""

    retry = True
    cure = "Press Retry."


class EmptyAnswer(ModelError):
    """The model returned no answer."""

    retry = True
    cure = "Press Retry, or choose another model."


class AnswerBlocked(ModelError):
    """The provider's safety rules blocked the answer."""

    cure = "Ask in other words, or choose another model."


class ContextTooLong(ModelError):
    """The prompt does not fit into the model's context."""

    cure = "Choose a model with a longer context, or fewer passages."


class ModelFailed(ModelError):
    """The server answered with an error of its own."""

    retry = True
    cure = "Press Retry; if it stays, look at the server's own log."


# ------------------------------------------------------------------------------- web search


class WebSearchError(AppError):
    """The live web could not be searched; documents are still answered from."""


class WebSearchOff(WebSearchError):
    """No SearXNG address is set."""

    cure = "Set SEARXNG_URL to the address of a SearXNG instance."


class WebSearchUnreachable(WebSearchError):
    """SearXNG does not answer."""

    cure = "Check SEARXNG_URL and that the instance runs."


class WebSearchForbidden(WebSearchError):
    """SearXNG refuses JSON."""

    cure = "Add `json` to `search.formats` in the instance's settings.yml."


class WebSearchLimited(WebSearchError):
    """SearXNG's limiter refuses further requests."""

    cure = "Wait a minute, or switch the limiter off for this program in your instance."


class WebSearchEnginesFailed(WebSearchError):
    """Nothing came, and engines behind SearXNG failed: not the same as nothing found."""

    cure = "Try again later, or choose other engines."


class WebSearchBadAnswer(WebSearchError):
    """SearXNG's answer is not what its API promises."""

    cure = "Check that SEARXNG_URL leads to a SearXNG instance."


class WebSearchBusy(WebSearchError):
    """The queries of others took all the time that there was."""

    cure = "Ask again in a moment; queries go to SearXNG one after another."
