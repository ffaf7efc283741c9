"""Footnote: answers from your own documents, with citations that can be checked."""

import os

__version__ = "1.0.0"

REPORTS_OFF = {
    "ANONYMIZED_TELEMETRY": "False",  # Chroma
    "DO_NOT_TRACK": "1",  # a convention of several tools
    "HF_HUB_DISABLE_TELEMETRY": "1",  # huggingface_hub, transformers, sentence-transformers
    "LANGCHAIN_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",  # would send prompts and sources
    "LANGSMITH_TRACING_V2": "false",
    "ORT_DISABLE_TELEMETRY": "1",  # ONNX Runtime; its own function for it comes too late
    "OTEL_SDK_DISABLED": "true",  # OpenTelemetry, which Chroma brings
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
}
"""The variables by which the libraries here are kept from reporting to their makers."""

# Here, since every process runs this before it imports any of them; set for its children as well.
# What the shell says does not count: a person may trace other programs, never these documents.
os.environ.update(REPORTS_OFF)
