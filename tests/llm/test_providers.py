"""The registry of providers: every list of providers is made from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.api.models import QueryRequest
from core.config import CHAT_PROVIDERS, Settings, load_settings
from core.errors import InvalidRequest, SettingsError
from core.llm.providers import make_chat_model, provider_class
from core.types import ModelChoice
from tests.standins.providers import STANDINS

_ROOT = Path(__file__).resolve().parents[2]
_NAMED = {"core/config.py", *(f"core/llm/{name}.py" for name in CHAT_PROVIDERS)}
"""Where the name of a provider may stand in quotes: the registry, and its own module."""


@pytest.mark.parametrize("name", CHAT_PROVIDERS)
def test_a_name_leads_to_its_class(name: str) -> None:
    provider = provider_class(name)
    assert provider.provider == name
    assert provider.title
    assert provider.setup
    model = make_chat_model(ModelChoice(name, "m"), Settings())
    assert (type(model), model.provider) == (provider, name)


def test_every_provider_has_a_stand_in_for_the_contract() -> None:
    assert set(STANDINS) == set(CHAT_PROVIDERS)


def test_settings_and_requests_take_these_names_and_no_others() -> None:
    listed = QueryRequest.model_json_schema()["properties"]["provider"]["anyOf"][0]["enum"]
    assert listed == ["", *CHAT_PROVIDERS]
    for name in listed:
        assert load_settings({"CHAT_PROVIDER": name}, env_file=None).chat_provider == name
    with pytest.raises(SettingsError, match="one of: ollama"):
        load_settings({"CHAT_PROVIDER": "evil"}, env_file=None)
    with pytest.raises(InvalidRequest, match="no such provider"):
        make_chat_model(ModelChoice("evil", "m"), Settings())


def test_no_module_names_a_provider_again() -> None:
    found = {
        path.relative_to(_ROOT).as_posix()
        for folder in ("core", "pages")
        for path in (_ROOT / folder).rglob("*.py")
        for name in CHAT_PROVIDERS
        if f'"{name}"' in path.read_text()
    }
    assert found <= _NAMED


def test_a_list_of_providers_loads_no_client() -> None:
    code = (
        "import sys; from core.config import CHAT_PROVIDERS as names;"
        "from core.llm.providers import provider_class;"
        "print([provider_class(name).title for name in names]);"
        "assert not any(name.startswith('langchain') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=_ROOT)
