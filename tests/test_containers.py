"""The Dockerfile and compose.yaml agree with the settings and the files of the program."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from core.api import create_api
from core.api.gate import OPEN
from core.config import Settings

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
ENVIRONMENT = dict(re.findall(r"^(?:ENV|   )\s+([A-Z_]+)=(\S+)", DOCKERFILE, re.MULTILINE))
VOLUME = re.findall(r"^VOLUME (\S+)$", DOCKERFILE, re.MULTILINE)


def test_every_variable_is_a_setting() -> None:
    names = {name.upper() for name in Settings.model_fields}
    assert ENVIRONMENT.keys() - names == {"PATH", "PYTHONUNBUFFERED"}
    assert set(COMPOSE["services"]["footnote"]["environment"]) <= names


def test_what_the_program_writes_lies_in_the_volume() -> None:
    folders = ("DATA_DIR", "CHROMA_DIR", "MODELS_DIR")
    assert [ENVIRONMENT[name].rpartition("/")[0] for name in folders] == VOLUME * 3
    [mount] = COMPOSE["services"]["footnote"]["volumes"]
    assert mount.split(":") == ["library", *VOLUME]


def test_the_port_is_the_same_everywhere() -> None:
    port = str(Settings().port)
    assert ENVIRONMENT["PORT"] == port
    assert re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE) == [port]
    assert COMPOSE["services"]["footnote"]["ports"] == [f"127.0.0.1:${{PORT:-{port}}}:{port}"]


def test_the_health_check_asks_an_address_that_exists_and_needs_no_key() -> None:
    [path] = re.findall(
        r"http://127\.0\.0\.1:' \+ os\.environ\['PORT'\] \+ '(/[\w/]+)'", DOCKERFILE
    )
    routes = {f"/api{getattr(route, 'path', '')}" for route in create_api().routes}
    assert path in routes
    assert path.removeprefix("/api") in OPEN


def test_everything_that_the_wheel_holds_is_in_the_image() -> None:
    kept = [
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    ]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    needed = [*wheel["packages"], *wheel["force-include"], "requirements.txt"]
    assert not [
        name for name in needed if not any(k == name or k.startswith(f"{name}/") for k in kept)
    ]
    assert all((ROOT / name).exists() for name in kept)


def test_the_programs_beside_it_wait_for_their_profile() -> None:
    services = COMPOSE["services"]
    assert {name: service.get("profiles") for name, service in services.items()} == {
        "footnote": None,
        "ollama": ["ollama"],
        "searxng": ["searxng"],
    }
    assert not [
        name for name, service in services.items() if name != "footnote" and "ports" in service
    ]
    assert services["footnote"]["environment"]["OLLAMA_URL"].startswith("http://ollama:")


def test_searxng_answers_in_json() -> None:
    [mount] = COMPOSE["services"]["searxng"]["volumes"]
    settings = yaml.safe_load((ROOT / mount.split(":")[0]).read_text("utf-8"))
    assert "json" in settings["search"]["formats"]
    assert settings["server"]["limiter"] is False


def test_it_does_not_run_as_root() -> None:
    assert re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE) == ["1000"]
