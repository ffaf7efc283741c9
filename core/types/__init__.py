"""The frozen values that flow through the program (a leaf: imports nothing of ours).

Offsets are counted in characters (Python string indices) of the text of one page. Times are
UTC. Scores live on `Hit`, never on `Chunk`; a stage returns new values and changes none.
"""

from core.types.answers import (
    STATES_NOTHING,
    Abstention,
    Answer,
    Check,
    Citation,
    Claim,
    Conversation,
    Event,
    Evidence,
    Message,
    Support,
    TextPiece,
    Usage,
)
from core.types.asking import AskRequest
from core.types.collecting import (
    CollectKind,
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectRun,
    CollectState,
)
from core.types.documents import (
    AddOutcome,
    AddResult,
    Block,
    Chunk,
    ChunkKind,
    Document,
    DocumentState,
    Heading,
    Job,
    JobItem,
    LoadedDocument,
    Notice,
    Origin,
    Page,
)
from core.types.formats import DocumentKind
from core.types.health import Health, HealthState, UpkeepState, UpkeepTask, Verdict
from core.types.models import ModelChoice
from core.types.people import ApiKey, Invitation, Member, Person, Role, Session
from core.types.search import (
    Hit,
    QueryOptions,
    QueryPlan,
    Scope,
    SearchOptions,
    SearchResult,
)
from core.types.steps import Level, SentQuery, Step

__all__ = [
    "STATES_NOTHING",
    "Abstention",
    "AddOutcome",
    "AddResult",
    "Answer",
    "ApiKey",
    "AskRequest",
    "Block",
    "Check",
    "Chunk",
    "ChunkKind",
    "Citation",
    "Claim",
    "CollectKind",
    "CollectOutcome",
    "CollectProgress",
    "CollectRequest",
    "CollectRun",
    "CollectState",
    "Conversation",
    "Document",
    "DocumentKind",
    "DocumentState",
    "Event",
    "Evidence",
    "Heading",
    "Health",
    "HealthState",
    "Hit",
    "Invitation",
    "Job",
    "JobItem",
    "Level",
    "LoadedDocument",
    "Member",
    "Message",
    "ModelChoice",
    "Notice",
    "Origin",
    "Page",
    "Person",
    "QueryOptions",
    "QueryPlan",
    "Role",
    "Scope",
    "SearchOptions",
    "SearchResult",
    "SentQuery",
    "Session",
    "Step",
    "Support",
    "TextPiece",
    "UpkeepState",
    "UpkeepTask",
    "Usage",
    "Verdict",
]
