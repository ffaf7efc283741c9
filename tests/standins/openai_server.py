"""A stand-in for an OpenAI-compatible server (vLLM): SSE with `data: [DONE]`, `/v1/models`.

python -m tests.standins.openai_server --port 8000 --script replies.json
"""

from __future__ import annotations

import json
from typing import Any

from tests.standins.scripts import Reply
from tests.standins.server import Frames, Recorded, Standin, Talk, main


class OpenAIStandin(Standin):
    """Speaks `/v1/...`. `key`, when set, is the only one that it takes."""

    provider = "openai"

    def __init__(self, *args: Any, key: str = "", says_length: bool = True, **named: Any) -> None:
        super().__init__(*args, **named)
        self.key = key
        self.says_length = says_length

    @property
    def url(self) -> str:
        return f"{super().url}/v1"

    def is_chat(self, path: str) -> bool:
        return path == "/v1/chat/completions"

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, Any]:
        if path != "/v1/models":
            return 404, _error("Not Found", "NotFoundError", 404)
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return 401, _error("Incorrect API key provided.", "invalid_request_error", "401")
        length = {"max_model_len": self.context_length} if self.says_length else {}
        listed = [{"id": name, "object": "model", "owned_by": "vllm", **length}
                  for name in self.models]  # fmt: skip
        return 200, {"object": "list", "data": listed}

    def post(self, talk: Talk, path: str, body: Any) -> None:
        if path != "/v1/embeddings":
            super().post(talk, path, body)
        elif self.key and talk.header("authorization") != f"Bearer {self.key}":
            talk.json(401, _error("Incorrect API key provided.", "invalid_request_error", "401"))
        elif body["model"] not in self.models:
            error = _error(f"The model `{body['model']}` does not exist.", "NotFoundError", 404)
            talk.json(404, error)
        elif self.embedding[:1] == ["busy"]:
            self.embedding.pop(0)
            talk.json(429, _error("Rate limit reached.", "rate_limit", None), "7")
        else:
            made = [{"object": "embedding", "index": at, "embedding": vector}
                    for at, vector in enumerate(self.vectors(body["input"]))]  # fmt: skip
            usage = self.counted(
                body["input"], lambda n: {"usage": {"prompt_tokens": n, "total_tokens": n}}
            )
            talk.json(200, {"object": "list", "data": made[::-1], "model": body["model"]} | usage)

    def chat(self, talk: Talk, request: Recorded, reply: Reply) -> None:
        name = request.body.get("model", "")
        refused = self.key and request.headers.get("authorization") != f"Bearer {self.key}"
        if reply.mode == "bad-key" or refused:
            error = _error(
                "Incorrect API key provided.", "invalid_request_error", "invalid_api_key"
            )
            talk.json(401, error)
        elif reply.mode == "missing" or name not in self.models:
            error = _error(f"The model `{name}` does not exist.", "NotFoundError", 404)
            talk.json(404, error)
        elif reply.mode == "quota":
            error = _error("You exceeded your current quota.", "insufficient_quota",
                           "insufficient_quota")  # fmt: skip
            talk.json(429, error, reply.retry_after)
        elif reply.mode == "busy":
            talk.json(429, _error("Rate limit reached.", "rate_limit", None), reply.retry_after)
        elif reply.mode == "overflow-error":
            error = _error("This model's maximum context length is 2048 tokens.",
                           "invalid_request_error", "context_length_exceeded")  # fmt: skip
            talk.json(400, error)
        elif reply.mode == "status":
            error = _error(reply.error or "Internal error", "InternalServerError", reply.status)
            talk.json(reply.status, error, reply.retry_after)
        else:
            talk.stream(self._frames(request.body, reply), reply)

    def _frames(self, body: Any, reply: Reply) -> Frames:
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        pieces = [_delta(body, {"content": part}) for part in reply.parts(prompt)]
        if reply.thinking:
            pieces.insert(0, _delta(body, {"reasoning_content": reply.thinking}))
        if reply.mode == "think-only" and not reply.thinking:
            pieces = [_delta(body, {"content": "<think>Let me see."})]
        if reply.mode == "thinking":
            parts = ("<th", "ink>Hm", "m</thi", "nk>\n")
            pieces = [_delta(body, {"content": part}) for part in parts] + pieces
        if reply.mode == "refusal":
            pieces = [_delta(body, {"refusal": "I cannot help with that."})]
        if reply.mode == "odd-json":
            pieces = [b'data: {"choices": [{"delta": "text", "index": "x"}]}\n\n']
        finish = reply.finish or {"length": "length", "safety-answer": "content_filter"}.get(
            reply.mode, "stop"
        )
        end = [_delta(body, {}, finish), _usage(body, reply, prompt, len(pieces))]
        if reply.mode == "overflow-empty":
            pieces, end = [], []
        error = _error(reply.error or "EngineDeadError", "InternalServerError", 500)
        return Frames(
            "text/event-stream",
            [_delta(body, {"role": "assistant", "content": ""}), *pieces] if pieces else [],
            [*end, b"data: [DONE]\n\n"],
            [b"data: " + json.dumps(error).encode() + b"\n\n"],
            _delta(body, {"content": "The same line again.\n"}),
        )


def _error(message: str, kind: str, code: str | int | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _delta(body: Any, delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return _event(body, [choice])


def _event(body: Any, choices: list[Any], **more: Any) -> bytes:
    data = {
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1767225600,
        "model": body["model"], "choices": choices, **more,
    }  # fmt: skip
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


def _usage(body: Any, reply: Reply, prompt: str, pieces: int) -> bytes:
    if not body.get("stream_options", {}).get("include_usage"):
        return b""
    counted = reply.prompt_tokens or (len(prompt) // 4 + 8)
    if reply.mode == "overflow":
        counted = reply.prompt_tokens or counted // 4
    usage = {"prompt_tokens": counted, "completion_tokens": pieces,
             "total_tokens": counted + pieces}  # fmt: skip
    return _event(body, [], usage=usage)


if __name__ == "__main__":
    main(OpenAIStandin, 8000)
