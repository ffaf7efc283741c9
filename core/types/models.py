"""Which language model answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model that writes the answer; `provider` "" quotes the sources.

    The key comes from the page's own memory or the settings; it is in no repr and takes no part
    in comparison or hash, so that no cache can mistake one person's choice for another's: never
    make a choice with a key the argument of a cached function all the same.
    """

    provider: str = ""
    model: str = ""
    key: SecretStr | None = field(default=None, repr=False, compare=False)
