"""The room of sessions: made, found, renamed, deleted, and what is preferred in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.access import roles
from core.access.roles import guarded
from core.config import Settings
from core.errors import InvalidRequest, SessionNotFound
from core.ids import checked_uuid
from core.ingestion.recutting import Recutter
from core.maintenance.removal import Remover
from core.retrieval.presets import PRESETS, USUAL
from core.storage.catalogue import Catalogue
from core.text.names import clean_title
from core.types import Cutting, Indexing, SearchOptions, Session


@guarded("sessions")
@dataclass(frozen=True)
class Sessions:
    """Sessions of owners. `get` and `create` are the only ways to a `Session`.

    `leave` waits for work in a session that is being deleted, given its id; `recutter` indexes one
    again for another preset.
    """

    settings: Settings
    catalogue: Catalogue
    remover: Remover
    leave: Callable[[str], None]
    recutter: Recutter

    def create(
        self,
        owner_id: str,
        name: str = "",
        preset: str = USUAL,
        *,
        embedding_model: str = "",
        reranker_model: str = "",
    ) -> Session:
        """Add an empty session, with models as `choose_preset` takes them.

        Raises `InvalidRequest` for a preset or a model that there is not.
        """
        _known(preset)
        models = self._models(embedding_model, reranker_model)
        session = self.catalogue.sessions.create(owner_id, clean_title(name or "My library"))
        if preset != USUAL or any(models.values()):
            self.choose_preset(session, preset, **models)
        return session

    def get(self, owner_id: str, session_id: str) -> Session:
        """Return a session of this owner, or one that is shared with them.

        Raises `SessionNotFound` for anybody else's as for an id that does not exist.
        """
        session = self.catalogue.sessions.get(owner_id, checked_uuid(session_id))
        if session is None:
            raise SessionNotFound("There is no such session.")
        return session

    def rename(self, session: Session, name: str) -> Session:
        """Change the name and return the session as it then is."""
        self.catalogue.sessions.rename(session.id, clean_title(name))
        return roles.narrowed(self.get(session.viewer_id, session.id), session.role)

    def delete(self, session: Session) -> None:
        """Delete the session with all its bytes: rows, vectors, index, originals."""
        self.remover.session(session.id, lambda: self.leave(session.id))

    def preferences(self, session: Session) -> dict[str, Any]:
        """Return what was chosen for this session (search settings, model); never a key."""
        return self.catalogue.sessions.preferences(session.id)

    def set_preferences(self, session: Session, values: dict[str, Any]) -> None:
        """Store choices for this session; those not in `values` stay."""
        kept = self.catalogue.sessions.preferences(session.id)
        self.catalogue.sessions.set_preferences(session.id, {**kept, **values})

    def search_options(self, session: Session) -> SearchOptions:
        """Return the search settings of this session, for requests that bring none."""
        chosen = self.catalogue.sessions.preferences(session.id).get("search", {})
        fields = SearchOptions.__dataclass_fields__
        of_preset = PRESETS[self.preset(session)].search
        return replace(of_preset, **{key: one for key, one in chosen.items() if key in fields})

    def preset(self, session: Session) -> str:
        """Return the name of the preset of this session, for requests that bring none."""
        chosen = self.catalogue.sessions.preferences(session.id).get("preset")
        return chosen if chosen in PRESETS else USUAL

    def choose_preset(
        self,
        session: Session,
        name: str,
        beside: Sequence[str] = (),
        *,
        embedding_model: str | None = None,
        reranker_model: str | None = None,
    ) -> None:
        """Search and answer as a preset describes; the documents are indexed for it if need be.

        They are searched as before until that is done (`indexing`). For those `beside`, they are
        indexed as well, so that questions can be asked by either. A model is one of those that the
        settings name, "" that of the program; None leaves the session's. Raises `InvalidRequest`.
        """
        beside = tuple(dict.fromkeys(one for one in beside if one != name))
        for one in (name, *beside):
            _known(one)
        values: dict[str, Any] = {"preset": name, "beside": beside}
        if name != self.preset(session):
            values["search"] = {}  # what was set for another one does not fit
        models = self._models(embedding_model, reranker_model)
        # What is as it was is no choice: an embedding model may still be chosen by language.
        values |= {of: one for of, one in models.items() if one != self._chosen(session, of)}
        self.set_preferences(session, values)
        model = self._chosen(session, "embedding_model")
        self.catalogue.cuts.want(session.id, [_cutting(one, model) for one in (name, *beside)])
        self.recutter.wake()

    def indexing(self, session: Session) -> Indexing:
        """Return the preset of a session, those beside it, and how far it is indexed for them."""
        cuts, name = self.catalogue.cuts, self.preset(session)
        kept = self.catalogue.sessions.preferences(session.id).get("beside", ())
        model, reranker = (self._chosen(session, f"{of}_model") for of in ("embedding", "reranker"))
        found = Indexing(name, tuple(one for one in kept if one in PRESETS), model, reranker)
        standing = cuts.standing(session.id)
        there = {cut.cutting: cut for cut in standing if cut.wanted}
        wanted = [there.get(_cutting(one, model)) for one in (name, *found.beside)]
        if not standing:
            return found
        if any(cut is None for cut in wanted):
            text = "The documents were indexed before this preset had a cutting of its own."
            return replace(found, whole=False, reason=text, cure="Choose the preset again.")
        for cut in wanted:
            if cut is not None and not (cut.ready and (cut.in_force or cut is not wanted[0])):
                failure = self.recutter.failure(session.id)
                ready = self.catalogue.documents.ready(session.id, searched_only=False).values()
                total = sum(document.chunks > 0 for document in ready)
                return replace(
                    found,
                    whole=False,
                    done=max(0, total - len(cuts.missing(cut))),
                    total=total,
                    reason=failure.message if failure else "",
                    cure=failure.cure if failure else "",
                )
        return found

    def _chosen(self, session: Session, of: str) -> str:
        return str(self.catalogue.sessions.preferences(session.id).get(of, ""))

    def _models(self, embedding: str | None, reranker: str | None) -> dict[str, str]:
        """What to keep of the models asked for. Raises `InvalidRequest`."""
        settings, found = self.settings, dict[str, str]()
        for of, name, choices in (
            ("embedding_model", embedding, settings.embedding_choices),
            ("reranker_model", reranker, settings.reranker_choices),
        ):
            if name is not None:
                if name and name not in choices:
                    text = f"There is no {of.replace('_', ' ')} {name[:80]} to choose."
                    raise InvalidRequest(text, f"Add it to {of.upper()}S, or choose another one.")
                found[of] = "" if name == choices[0] else name
        return found

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, owner_id: str) -> list[Session]:
        """Return the sessions of this owner and those shared with them, last used first."""
        return self.catalogue.sessions.list(owner_id)


def _cutting(preset: str, model: str) -> Cutting:
    return replace(PRESETS[preset].cutting, model=model)


def _known(preset: str) -> None:
    if preset not in PRESETS:
        text = f"There is no preset {preset[:40]}."
        raise InvalidRequest(text, f"There are: {', '.join(PRESETS)}.")
