"""A service that asks the stand-in of SearXNG and reads a small web, for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.service import Service
from core.types import Answer, AskRequest, ModelChoice, Notice, QueryOptions, Session, Step
from tests.conftest import settings_in
from tests.standins.searxng import SearxngStandin, index
from tests.standins.small_web import Sent, SmallWeb

WHO = "Who built the lantern house of Velmark?"


@dataclass
class LiveWeb:
    """A person's session, with the web behind it."""

    service: Service
    session: Session
    standin: SearxngStandin
    web: SmallWeb

    def ask(self, question: str = WHO, **values: Any) -> Answer:
        """The answer to a question that is looked for on the web too."""
        answer, _ = self.ask_seen(question, **values)
        return answer

    def ask_seen(
        self,
        question: str = WHO,
        *,
        web: bool = True,
        preset: str | None = None,
        queries: Sequence[str] = (),
        model: ModelChoice | None = None,
    ) -> tuple[Answer, list[Step]]:
        """The answer, and the steps as they came."""
        options = QueryOptions(queries=tuple(queries), web=web, preset=preset)
        request = AskRequest(self.session, question, options=options, model=model)
        events = list(self.service.ask(request))
        assert isinstance(events[-1], Answer)
        return events[-1], [event for event in events if isinstance(event, Step)]


@contextmanager
def live_web(
    folder: Path,
    *,
    pages: Mapping[str, Sent] | None = None,
    found: Sequence[str] | None = None,
    always: Sequence[str] = (),
    mode: str = "ok",
    wikipedia: Mapping[tuple[str, str], str] | None = None,
    **values: object,
) -> Iterator[LiveWeb]:
    """Everything together; `found` are the paths that can be found, `always` those always are."""
    with (
        SmallWeb(pages, wikipedia=wikipedia) as web,
        SearxngStandin(index(web, found), mode=mode) as standin,
    ):
        standin.always = [web.url + path if path[:1] == "/" else path for path in always]
        usual: dict[str, object] = {
            "searxng_url": standin.url, "allowed_private_hosts": web.host,
            "wikipedia_url": web.wikipedia_url, "searxng_pause": 0.0, "web_per_host": 10,
            "min_free_mb": 0,
        }  # fmt: skip
        service = Service(settings_in(folder, **{**usual, **values}), background=False)
        try:
            owner = service.owners.for_token("token")
            session = service.sessions.create(owner)
            yield LiveWeb(service, session, standin, web)
        finally:
            service.close()


def notice(answer: Answer, code: str) -> Notice:
    """The notice with this code."""
    found = [notice for notice in answer.notices if notice.code == code]
    assert found, [notice.code for notice in answer.notices]
    return found[0]
