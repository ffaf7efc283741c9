"""One typed, frozen `Settings`: the only reader of the environment and of `.env`."""

from __future__ import annotations

import ctypes
import difflib
import functools
import itertools
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from core.errors import SettingsError

_FOREIGN = {"OLLAMA_HOST", "OLLAMA_MODELS", "OPENAI_BASE_URL", "PORTS", "HOST", "HTTP_PROXY"}
"""Names that resemble ours but belong to other programs."""
_SECRETS = ("OPENAI_API_KEY", "GEMINI_API_KEY", "MCP_API_KEY")
_ADDRESSES = ("DATABASE_URL", "INDEX_URL")
_PASSWORD = re.compile(r"//[^/@:]*:[^@]*@|[?&]password=")
"""What shows that an address has one."""
"""What is taken out of the environment once it is read."""
_SMALL = {"https_proxy", "no_proxy"}
"""Names that other programs read in small letters too; those in capitals win."""
_GONE = {
    "CHROMA_URL": "Take it out. Vectors on a server are in PostgreSQL now: DATABASE_URL, and read "
    "docs/growth.md; without it they are made again on this disk.",
    "VECTOR_STORE": "Take it out: DATABASE_URL decides where vectors and words are kept.",
}
"""Settings that were taken out, each with what to do instead."""


CHAT_PROVIDERS = {
    "ollama": "core.llm.ollama.OllamaChat",
    "gemini": "core.llm.gemini.GeminiChat",
    "openai": "core.llm.openai.OpenAIChat",
}
"""The registry of chat providers: the name in settings and requests, and the class behind it.

It stands here because the settings are checked against the names, and this module is a leaf.
"""
OCR_LANGUAGES = frozenset(
    "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it ja ku la lb lt lv mi ms mt nl "
    "no oc pl pt qu rm ro sk sl sq sv sw tl tr uz vi zh".split()
)
"""The languages (ISO 639-1) that the OCR models in the wheel of rapidocr can read."""
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


def _place_of_files(url: str) -> str:
    if url and not re.match(r"(file://)?/|s3://[a-z0-9][a-z0-9.-]+(/[\w./-]*)?$", url):
        raise PydanticCustomError(
            "place",
            "it must be a folder (/mnt/footnote, or file:///mnt/footnote) or a bucket "
            "(s3://footnote, or s3://bucket/footnote)",
        )
    return url


def _index_server(url: str) -> str:
    parts = urlsplit(url)
    try:
        whole = parts.scheme in ("milvus", "milvus+https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        whole = False
    if url and not whole:
        raise PydanticCustomError(
            "index_server", "it must be a Milvus server: milvus://HOST:19530, or milvus+https://"
        )
    return url


def _known_provider(name: str) -> str:
    if name and name not in CHAT_PROVIDERS:
        raise PydanticCustomError(
            "provider", f"Input should be one of: {', '.join(CHAT_PROVIDERS)}"
        )
    return name


ProviderName = Annotated[
    str,
    AfterValidator(_known_provider),
    WithJsonSchema({"type": "string", "enum": ["", *CHAT_PROVIDERS]}),
]
"""The name of a chat provider, or "" for none."""


def _readable(languages: str) -> str:
    unreadable = set(_codes(languages)) - OCR_LANGUAGES
    if unreadable:
        raise PydanticCustomError(
            "ocr_languages",
            f"the OCR models cannot read {', '.join(sorted(unreadable))} (they read "
            f"{', '.join(sorted(OCR_LANGUAGES))}). Make such files searchable with another "
            "program, OCRmyPDF for example: the text in them is used",
        )
    return languages


def _priced(prices: str) -> str:
    try:
        _prices(prices)
    except ValueError:
        raise PydanticCustomError(
            "model_prices",
            "Input should be like gemini-2.5-flash=0.30/2.50, gpt-5-mini=0.25/2: dollars for a "
            "million tokens read, and for a million written",
        ) from None
    return prices


def _prices(prices: str) -> dict[str, tuple[float, float]]:
    found = {}
    for entry in filter(None, (entry.strip() for entry in prices.split(","))):
        model, _, price = entry.rpartition("=")
        read, _, written = price.partition("/")
        if not model.strip() or not all(0 <= float(dollars) < 1e6 for dollars in (read, written)):
            raise ValueError(entry)
        found[model.strip()] = float(read), float(written)
    return found


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _listed(listed: str) -> str:
    return ",".join(_names(listed))


def _codes(languages: str) -> list[str]:
    return [code.strip().lower() for code in languages.split(",") if code.strip()]


class Settings(BaseModel):
    """Every setting, with its default. The environment's names are these in upper case."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Where things are
    data_dir: Path = Field(Path("data_main"), description="Catalogue, originals, lexical indexes.")
    chroma_dir: Path = Field(Path("chroma_db"), description="The vector store on disk.")
    models_dir: Path = Field(
        Path("data_main/models"),
        description="Models that the program builds of downloaded weights.",
    )
    database_url: str = Field(
        "",
        repr=False,  # a password may be in it
        description="PostgreSQL for catalogue, vectors and words: postgresql+psycopg://...; "
        "empty: the disk.",
    )
    originals_url: Annotated[str, AfterValidator(_place_of_files)] = Field(
        "",
        description="Originals of several processes: a folder, s3://bucket; empty: `DATA_DIR`.",
    )
    originals_cache_mb: int = Field(
        2000,
        ge=1,
        description="Copies of what is in s3://.",
    )
    index_url: Annotated[str, AfterValidator(_index_server)] = Field(
        "",
        repr=False,
        description="Milvus for vectors and words: milvus://...; empty: none.",
    )
    port: int = Field(8501, ge=1, le=65535, description="The port of the page and the API.")
    bind_address: str = Field("127.0.0.1", description="The address that the server listens on.")
    public_url: str = Field(
        "",
        pattern=r"^(https?://[^/?#@\s]+(/[A-Za-z0-9_~.-]+)*/?)?$",
        description="The address that people type, behind a reverse proxy: "
        "https://docs.example.org/footnote.",
    )
    connections_per_address: int = Field(
        500, ge=1, description="The most open connections from one address."
    )

    # Models that compute here
    embedding_model: str = Field(
        "all-MiniLM-L6-v2",
        description="The bundled one, a name on the model hub, or a model of a provider: "
        "ollama/nomic-embed-text.",
    )
    embedding_models: Annotated[str, AfterValidator(_listed)] = Field(
        "",
        description="Others that a session may choose, with commas.",
    )
    embedding_multilingual: str = Field(
        "",
        description="For sessions mostly not in English.",
    )
    embedding_backend: Literal["auto", "onnx", "torch"] = Field(
        "auto", description="What runs the embedding model."
    )
    embedding_query_prompt: str = Field(
        "", description="Put before a query; empty: the model's own."
    )
    embedding_text_prompt: str = Field(
        "", description="Put before a passage; empty: the model's own."
    )
    reranker_model: str = Field(
        "cross-encoder/ms-marco-MiniLM-L6-v2", description="A cross-encoder, or empty for none."
    )
    reranker_models: Annotated[str, AfterValidator(_listed)] = Field(
        "", description="Others that a session may choose, with commas."
    )
    reader_model: str = Field(
        "bundled",
        description="What reads the best sentences with the question: the bundled reader, a folder "
        "with one of your own, or empty for none.",
    )

    # Documents
    ocr: bool = Field(True, description="Read pages without text by OCR.")
    ocr_seconds: int = Field(600, ge=1, description="The longest that OCR of one file may take.")
    ocr_languages: Annotated[str, AfterValidator(_readable)] = Field(
        "", description="Languages of scans: codes with commas, such as en,de; empty: all."
    )
    max_file_mb: int = Field(200, ge=1, description="The largest file, in MB.")
    max_page_uploads_mb: int = Field(
        500,
        ge=1,
        description="MB of uploads that one browser tab may have under way.",
    )
    max_uploads_mb: int = Field(
        1500, ge=1, description="MB of uploads that all tabs together may have under way."
    )
    max_files: int = Field(5000, ge=1, description="The most documents in one session.")
    parse_seconds: int = Field(120, ge=1, description="The longest that reading one file may take.")
    parse_cpu_seconds: int = Field(
        120, ge=1, description="The most processor time that reading one file may take."
    )
    parse_memory_mb: int = Field(
        1500, ge=256, description="The most memory that reading one file may take."
    )
    min_free_mb: int = Field(500, ge=0, description="Free disk space below which nothing is added.")
    chunk_size: int = Field(1000, ge=100, le=8000, description="The longest chunk, in characters.")
    chunk_overlap: int = Field(
        150, ge=0, le=4000, description="How much neighbouring chunks share, in characters."
    )

    # Fetching
    allowed_private_hosts: str = Field(
        "", description="Comma-separated host or host:port in private networks that may be fetched."
    )
    fetch_seconds: float = Field(
        30.0, gt=0, description="The longest that fetching one page may take."
    )
    fetch_max_mb: int = Field(20, ge=1, description="The largest page to fetch, unpacked, in MB.")
    collect_delay: float = Field(
        1.0, ge=0, description="The least time between two requests to one site, in seconds."
    )
    collect_pages: int = Field(
        5000, ge=1, description="The most pages or questions that one run of collecting may take."
    )
    dumps_dir: str = Field(
        "", description="A folder with dumps that everybody here may collect from; empty is none."
    )
    watch_dir: str = Field("", description="A folder whose files become documents.")
    watch_session: str = Field(
        "",
        pattern=r"^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$",
        description="The session that they go to: its id, as in the page's address.",
    )
    watch_subfolders: bool = Field(
        False, description="Give each folder in it a session of its own, with the folder's name."
    )

    # The live web
    searxng_url: str = Field("", description="A SearXNG instance for the live web; empty is off.")
    searxng_engines: str = Field(
        "", description="Engines to ask, with commas; empty: its own choice."
    )
    searxng_categories: str = Field(
        "", description="Categories to ask, with commas; empty: its own choice."
    )
    searxng_language: str = Field(
        "auto", description="The language of results: a code such as de, all, or auto."
    )
    searxng_seconds: float = Field(
        8.0, gt=0, description="The longest wait for the answer to one query."
    )
    searxng_pause: float = Field(
        0.5, ge=0, description="The pause between two queries, of everybody here, in seconds."
    )
    web_queries: int = Field(3, ge=1, le=5, description="The most queries for one question.")
    web_results: int = Field(10, ge=8, le=20, description="Results of a query that are looked at.")
    web_pages: int = Field(10, ge=1, le=20, description="The most pages read for one question.")
    web_seconds: float = Field(
        12.0, gt=0, description="The longest that these pages may take, all together."
    )
    web_per_host: int = Field(2, ge=1, description="Pages of one host that are read at once.")
    web_chunks: int = Field(20, ge=1, description="The most passages of one page that are indexed.")
    web_hours: float = Field(
        24.0, gt=0, description="How long a page that was read for an answer is searched."
    )
    web_quality: Literal["off", "rules", "model"] = Field(
        "off", description="Drop poor passages: by rules, by rules and a model."
    )
    web_quality_model: str = Field(
        "nvidia/quality-classifier-deberta", description="The classifier: Low, Medium, High."
    )
    web_quality_least: Literal["medium", "high"] = Field(
        "medium", description="The lowest quality that the classifier lets pass."
    )
    wikipedia_url: str = Field(
        "https://{language}.wikipedia.org/w/api.php",
        description="Wikipedia's API; empty reads its pages instead.",
    )

    # Language models
    chat_provider: ProviderName = Field(
        "", description="Who writes the answers; empty quotes the sources."
    )
    chat_model: str = Field("", description="The model's name at its provider.")
    planning_model: str = Field(
        "",
        description="A cheaper model that chooses the effort, writes queries and grades what is "
        "found, such as qwen3:0.6b or gemini/gemini-2.5-flash-lite; empty: the one that answers.",
    )
    model_prices: Annotated[str, AfterValidator(_priced)] = Field(
        "",
        description="Dollars for a million tokens read and written, by model: "
        "gemini-2.5-flash=0.30/2.50, gpt-5-mini=0.25/2.",
    )
    ollama_url: str = Field("http://127.0.0.1:11434", description="Where Ollama listens.")
    openai_url: str = Field("", description="An OpenAI-compatible server, up to and including /v1.")
    openai_api_key: SecretStr = Field(SecretStr(""), description="Its key, if it wants one.")
    gemini_url: str = Field("", description="Another address than Google's: a proxy's.")
    gemini_api_key: SecretStr = Field(SecretStr(""), description="A key for Gemini.")
    https_proxy: SecretStr = Field(
        SecretStr(""), description="A proxy for the https servers of models on other machines."
    )
    no_proxy: str = Field("", description="Comma-separated hosts to reach without that proxy.")
    first_token_seconds: float = Field(
        120.0, gt=0, description="The longest wait for a model's first word."
    )
    between_tokens_seconds: float = Field(
        30.0, gt=0, description="The longest silence between words."
    )
    answer_tokens: int = Field(1024, ge=16, description="The longest answer, in tokens.")
    context_tokens: int = Field(
        8192,
        ge=1024,
        description="The context to ask of a model, in tokens; never more than it has.",
    )
    question_seconds: float = Field(
        300.0, gt=0, description="The longest that a whole answer may take."
    )
    question_tokens: int = Field(
        40_000,
        ge=0,
        description="The most tokens that a model may read and write for one question.",
    )
    depth_rounds: int = Field(
        4, ge=1, le=10, description="The most searches for one question in depth."
    )
    depth_summary: bool = Field(
        False,
        description="Let a model sum up what a search in depth kept, for you and the answer.",
    )
    nli_model: str = Field(
        "", description="An NLI cross-encoder for the support check; empty for none."
    )
    support_judge: Literal["", "model"] = Field(
        "", description="`model` lets the chat model judge its cited sentences too."
    )
    support_judge_seconds: float = Field(
        30.0, gt=0, description="The longest that the chat model may judge one answer."
    )

    # The API and MCP
    require_api_key: bool = Field(
        False, description="Ask programs for a key on this machine too; elsewhere it always is."
    )
    api_requests_per_minute: int = Field(
        1200, ge=0, description="The most requests of one key or person in a minute; 0 is no limit."
    )
    max_upload_files: int = Field(
        200, ge=1, description="The most files in one request of the API."
    )
    max_upload_mb: int = Field(2000, ge=1, description="The most MB in one request of the API.")
    request_seconds: float = Field(
        600.0, gt=0, description="The longest that one request of the API may take."
    )
    mcp_api_key: SecretStr = Field(
        SecretStr(""), description="The key with which `python -m core.mcp.server` works."
    )

    # Login
    login: Literal["off", "required"] = Field(
        "off", description="`required`: everybody signs in (OpenID Connect), and can share."
    )

    # Operation
    log_level: LogLevel = Field("INFO", description="How much is logged.")
    log_format: Literal["text", "json"] = Field(
        "text", description="Lines for people, or `json` for programs."
    )

    @property
    def ocr_language_codes(self) -> tuple[str, ...]:
        """The codes in `ocr_languages`."""
        return tuple(_codes(self.ocr_languages))

    @property
    def embedding_choices(self) -> tuple[str, ...]:
        """The embedding models that a session may choose from, that of the program first."""
        others = [*_names(self.embedding_models), *_names(self.embedding_multilingual)]
        return tuple(dict.fromkeys([self.embedding_model, *others]))

    @property
    def reranker_choices(self) -> tuple[str, ...]:
        """The rerankers that a session may choose from, that of the program first."""
        return tuple(dict.fromkeys([self.reranker_model, *_names(self.reranker_models)]))

    @property
    def prices(self) -> dict[str, tuple[float, float]]:
        """The prices in `model_prices`, by the name of the model."""
        return _prices(self.model_prices)

    @property
    def in_postgresql(self) -> bool:
        """Whether the catalogue is in PostgreSQL, and vectors and words with it."""
        return self.database_url.startswith(("postgresql", "postgres:"))

    @property
    def sessions_dir(self) -> Path:
        """One folder a session: originals, and the lexical index that is not in PostgreSQL."""
        shared = "" if self.in_bucket else self.originals_url.removeprefix("file://")
        return (Path(shared) if shared else self.data_dir) / "sessions"

    @property
    def in_bucket(self) -> bool:
        """Whether originals and collected files are in an object store."""
        return self.originals_url.startswith("s3://")

    @property
    def cache_dir(self) -> Path:
        """Copies of what is in an object store, one folder a session."""
        return self.data_dir / "cache"

    @property
    def scratch_dir(self) -> Path:
        """Temporary files of work that belongs to no session; emptied at each start."""
        return self.data_dir / "scratch"

    @property
    def samples_dir(self) -> Path:
        """The sample library that ships with the program."""
        return shipped() / "data_main" / "samples"


def shipped() -> Path:
    """Return the folder of what ships beside the packages: pages, commands, sample library.

    It is the top of a checkout, or `footnote_app` beside the packages where a wheel is installed.
    """
    beside = Path(__file__).resolve().parent.parent
    installed = beside / "footnote_app"
    return installed if installed.is_dir() else beside


def default_places(shipped: Path, home: Path) -> dict[str, str]:
    """Return the settings that differ from their defaults: none in a checkout.

    An installed program keeps its data below `home` and not in the folder that it is started in,
    which may be another one each time.
    """
    if shipped.name != "footnote_app":
        return {}
    folders = {"data_dir": "data", "chroma_dir": "chroma", "models_dir": "models"}
    return {name: str(home / ".footnote" / folder) for name, folder in folders.items()}


def load_settings(
    environ: Mapping[str, str] | None = None, env_file: Path | None = Path(".env")
) -> Settings:
    """Read the settings from `.env` and the environment, which wins.

    Raises `SettingsError` for a value out of range, an unknown name in `.env`, and a name in
    the environment that is nearly one of ours (a typing mistake must not pass in silence).

    >>> load_settings({"PORT": "8600"}, env_file=None).port
    8600
    """
    environ = {**_hidden(), **os.environ} if environ is None else environ
    in_file = dotenv_values(env_file) if env_file and env_file.is_file() else {}
    for key in _GONE:
        if environ.get(key) or in_file.get(key):
            raise SettingsError(f"{key} is no setting any more.", _GONE[key])
    names = {name.upper(): name for name in Settings.model_fields}
    values = default_places(shipped(), Path.home())
    for key, value in in_file.items():
        if key.upper() not in names:
            raise SettingsError(
                f"{env_file} sets {key}, which is no setting{_did_you_mean(key, names)}."
            )
        values[names[key.upper()]] = value or ""
    for key, value in environ.items():
        if key in names:
            values[names[key]] = value
        elif key in _SMALL:
            values.setdefault(key, value)
        elif key.upper() not in _FOREIGN and (hint := _did_you_mean(key, names)):
            raise SettingsError(f"The environment sets {key}, which is no setting{hint}.")
    return validated(values)


def validated(values: Mapping[str, Any]) -> Settings:
    """Return settings of these values by field name. Raises `SettingsError`."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        raise SettingsError(f"{name} is not usable: {first['msg']}.") from None


def hide_secrets() -> None:
    """Take keys and addresses with a password out of the environment; `load_settings` knows them.

    So neither child processes nor `/proc/PID/environ` nor what a crash writes down carries them.
    """
    for name in (*_SECRETS, *_ADDRESSES):
        value = os.environ.get(name)
        if value is not None and (name in _SECRETS or _PASSWORD.search(value)):
            _overwrite(name)
            _hidden()[name] = os.environ.pop(name)


@functools.cache
def _hidden() -> dict[str, str]:
    """What `hide_secrets` took out of the environment of this process."""
    return {}


def _overwrite(name: str) -> None:
    """Overwrite a value where the system put it: removing it alone would leave it readable."""
    variables = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
    begin = f"{name}=".encode()
    for at in itertools.takewhile(variables.__getitem__, itertools.count()):
        address = variables[at]
        text = ctypes.string_at(address)
        if text.startswith(begin):
            ctypes.memset(address + len(begin), 0, len(text) - len(begin))


def _did_you_mean(key: str, names: Mapping[str, str]) -> str:
    close = difflib.get_close_matches(key.upper(), names, n=1, cutoff=0.86)
    return f" (did you mean {close[0]}?)" if close else ""
