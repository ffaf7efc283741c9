"""Settings: read once, typed, and no mistyped name passes in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings, load_settings
from core.errors import SettingsError


def test_defaults_need_nothing() -> None:
    assert load_settings({}, env_file=None) == Settings()


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("PORT=8600\nCHUNK_SIZE=500\n")
    settings = load_settings({"PORT": "8700"}, env_file=file)
    assert (settings.port, settings.chunk_size) == (8700, 500)


@pytest.mark.parametrize(
    "name", ["OLAMA_URL", "CHROMA_DRI", "EMBEDING_MODEL", "ALLOWED_PRIVATE_HOST"]
)
def test_a_mistyped_variable_names_the_right_one(name: str) -> None:
    with pytest.raises(SettingsError, match="did you mean"):
        load_settings({name: "x"}, env_file=None)


def test_an_unknown_name_in_the_file_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("WHATEVER=1\n")
    with pytest.raises(SettingsError, match="WHATEVER"):
        load_settings({}, env_file=file)


def test_names_of_other_programs_pass() -> None:
    load_settings({"PATH": "/bin", "OLLAMA_HOST": "0.0.0.0", "HOME": "/", "DATABASE": "x"}, None)


def test_the_proxy_of_the_environment_in_capitals_or_small_letters() -> None:
    small = {"https_proxy": "http://small:1", "HTTP_PROXY": "http://other:1", "http_proxy": "x"}
    assert load_settings(small, None).https_proxy.get_secret_value() == "http://small:1"
    both = small | {"HTTPS_PROXY": "http://me:secret@large:1", "NO_PROXY": "a", "no_proxy": "b"}
    settings = load_settings(both, None)
    assert settings.https_proxy.get_secret_value() == "http://me:secret@large:1"
    assert settings.no_proxy == "a"
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "many"),
        ("LOG_LEVEL", "LOUD"),
        ("ORIGINALS_URL", "gs://bucket"),
        ("ORIGINALS_URL", "s3://"),
        ("ORIGINALS_URL", "s3://a bucket"),
        ("ORIGINALS_URL", "shared"),
        ("INDEX_URL", "http://127.0.0.1:19530"),
        ("INDEX_URL", "milvus://"),
        ("INDEX_URL", "milvus://host:many"),
    ],
)
def test_a_value_out_of_range_is_an_error_that_names_it(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({name: value}, env_file=None)


def test_a_key_is_never_shown() -> None:
    settings = load_settings({"OPENAI_API_KEY": "sk-secret"}, env_file=None)
    assert "sk-secret" not in repr(settings)
    assert "sk-secret" not in settings.model_dump_json()


def test_languages_of_scans_are_those_that_the_models_read() -> None:
    settings = load_settings({"OCR_LANGUAGES": "en, DE"}, env_file=None)
    assert settings.ocr_language_codes == ("en", "de")
    assert load_settings({}, env_file=None).ocr_language_codes == ()
    with pytest.raises(SettingsError, match="cannot read el, ru "):
        load_settings({"OCR_LANGUAGES": "en,ru,el"}, env_file=None)


def test_prices_of_models_are_read() -> None:
    settings = load_settings({"MODEL_PRICES": "a:1b=0.3/2.50, meta/b = 1/2 ,"}, env_file=None)
    assert settings.prices == {"a:1b": (0.3, 2.5), "meta/b": (1.0, 2.0)}
    assert Settings().prices == {}


@pytest.mark.parametrize("prices", ["a", "a=1", "a=1/x", "=1/2", "a=-1/2", "a=nan/2"])
def test_prices_that_are_none_are_an_error(prices: str) -> None:
    with pytest.raises(SettingsError, match="MODEL_PRICES"):
        load_settings({"MODEL_PRICES": prices}, env_file=None)


@pytest.mark.parametrize("name", ["CHROMA_URL", "VECTOR_STORE"])
def test_a_setting_that_is_gone_says_what_to_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=name) as raised:
        load_settings({name: "x"}, env_file=None)
    assert "DATABASE_URL" in raised.value.cure
    in_file = tmp_path / ".env"
    in_file.write_text(f"{name}=x\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="no setting any more"):
        load_settings({}, env_file=in_file)
