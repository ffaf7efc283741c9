"""A stand-in for the Gemini API: SSE without `[DONE]`, `/models`, errors as Google sends them.

python -m tests.standins.gemini --port 8090 --script replies.json
"""

from __future__ import annotations

import json
from typing import Any

from tests.standins.scripts import Reply
from tests.standins.server import Frames, Recorded, Standin, Talk, main


class GeminiStandin(Standin):
    """Speaks `/v1beta/models/...`. `key` is the only one that it takes."""

    provider = "gemini"

    def __init__(self, *args: Any, key: str = "test-key", **named: Any) -> None:
        super().__init__(*args, **named)
        self.key = key

    def is_chat(self, path: str) -> bool:
        return ":streamGenerateContent" in path or ":generateContent" in path

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, Any]:
        if headers.get("x-goog-api-key") != self.key:
            return 400, _BAD_KEY
        models = [self._listed(name) for name in self.models]
        if path == "/v1beta/models":
            return 200, {"models": models}
        found = [model for model in models if path == f"/v1beta/{model['name']}"]
        return (200, found[0]) if found else (404, _missing(path.rsplit("/", 1)[-1]))

    def post(self, talk: Talk, path: str, body: Any) -> None:
        name = path.partition("/models/")[2].partition(":")[0]
        if ":batchEmbedContents" not in path:
            super().post(talk, path, body)
        elif talk.header("x-goog-api-key") != self.key:
            talk.json(400, _BAD_KEY)
        elif name not in self.models:
            talk.json(404, _missing(name))
        elif self.embedding[:1] == ["busy"]:
            self.embedding.pop(0)
            talk.json(503, _error(503, "The model is overloaded.", "UNAVAILABLE"), "7")
        else:
            texts = [one["content"]["parts"][0]["text"] for one in body["requests"]]
            made = {"embeddings": [{"values": one} for one in self.vectors(texts)]}
            usage = self.counted(texts, lambda n: {"usageMetadata": {"promptTokenCount": n}})
            talk.json(200, made | usage)

    def chat(self, talk: Talk, request: Recorded, reply: Reply) -> None:
        name = request.path.partition("/models/")[2].partition(":")[0]
        if reply.mode == "bad-key" or request.headers.get("x-goog-api-key") != self.key:
            talk.json(400, _BAD_KEY)
        elif reply.mode == "missing" or name not in self.models:
            talk.json(404, _missing(name))
        elif reply.mode == "quota":
            talk.json(429, _quota(reply.retry_after))
        elif reply.mode == "busy":
            error = _error(503, "The model is overloaded. Please try again later.", "UNAVAILABLE")
            talk.json(503, error, reply.retry_after)
        elif reply.mode == "overflow-error":
            text = "The input token count (9000) exceeds the maximum number of tokens allowed."
            talk.json(400, _error(400, text, "INVALID_ARGUMENT"))
        elif reply.mode == "status":
            error = _error(reply.status, reply.error or "An internal error.", "INTERNAL")
            talk.json(reply.status, error, reply.retry_after)
        else:
            talk.stream(self._frames(request.body, name, reply), reply)

    def _frames(self, body: Any, model: str, reply: Reply) -> Frames:
        prompt = "\n".join(
            part.get("text", "")
            for content in [body.get("systemInstruction", {}), *body["contents"]]
            for part in content.get("parts", [])
        )
        counted = reply.prompt_tokens or (len(prompt) // 4 + 8)
        parts = reply.parts(prompt)
        pieces = [_candidate(model, counted, text=part) for part in parts]
        if reply.thinking or reply.mode == "think-only":
            pieces.insert(0, _thought(model, counted, reply.thinking or "Let me see."))
        if reply.mode == "thinking":
            told = ("<th", "ink>Hm", "m</thi", "nk>\n")
            pieces = [_candidate(model, counted, text=part) for part in told] + pieces
        end = [_candidate(model, counted, finish=reply.finish or _FINISH.get(reply.mode, "STOP"))]
        if reply.mode == "safety-prompt":
            pieces = []
            block = {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": model}
            end = [_event({**block, "usageMetadata": _usage(counted)})]
        elif reply.mode in ("safety-answer", "no-text", "overflow-empty"):
            pieces = []
            end = [] if reply.mode == "overflow-empty" else end
        if reply.mode == "odd-json":
            pieces = [b'data: {"candidates": [{"content": {"parts": "text"}}]}\n\n']
        error = _error(500, reply.error or "An internal error.", "INTERNAL")
        return Frames(
            "text/event-stream",
            pieces,
            end,
            [_event(error)],
            _candidate(model, counted, text="The same line again.\n"),
        )

    def _listed(self, name: str) -> dict[str, Any]:
        return {
            "name": f"models/{name}", "version": "001", "displayName": name,
            "inputTokenLimit": self.context_length, "outputTokenLimit": 8192,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
        }  # fmt: skip


_FINISH = {"length": "MAX_TOKENS", "safety-answer": "SAFETY", "no-text": "RECITATION"}


def _error(code: int, message: str, status: str, details: Any = ()) -> dict[str, Any]:
    error = {"code": code, "message": message, "status": status, "details": list(details)}
    return {"error": error}


_BAD_KEY = _error(
    400,
    "API key not valid. Please pass a valid API key.",
    "INVALID_ARGUMENT",
    [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
      "domain": "googleapis.com"}],
)  # fmt: skip


def _missing(name: str) -> dict[str, Any]:
    text = f"models/{name} is not found for API version v1beta"
    return _error(404, text, "NOT_FOUND")


def _quota(retry: str) -> dict[str, Any]:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{retry or 34}s"}
    return _error(429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED", [info])


def _usage(counted: int, given: int = 1) -> dict[str, int]:
    return {"promptTokenCount": counted, "candidatesTokenCount": given,
            "totalTokenCount": counted + given}  # fmt: skip


def _candidate(model: str, counted: int, text: str | None = None, finish: str = "") -> bytes:
    candidate: dict[str, Any] = {"index": 0}
    if text is not None:
        candidate["content"] = {"parts": [{"text": text}], "role": "model"}
    if finish:
        candidate["finishReason"] = finish
    data = {"candidates": [candidate], "usageMetadata": _usage(counted), "modelVersion": model}
    return _event(data)


def _thought(model: str, counted: int, text: str) -> bytes:
    parts = [{"text": text, "thought": True}]
    candidate = {"index": 0, "content": {"parts": parts, "role": "model"}}
    data = {"candidates": [candidate], "usageMetadata": _usage(counted), "modelVersion": model}
    return _event(data)


def _event(data: Any) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\r\n\r\n"


if __name__ == "__main__":
    main(GeminiStandin, 8090)
