"""A stand-in for Ollama 0.33: NDJSON streams, `/api/tags`, `/api/show`, `/api/ps`, `/api/pull`.

python -m tests.standins.ollama --port 11434 --script replies.json
"""

from __future__ import annotations

import json
from typing import Any

from tests.standins.scripts import Reply
from tests.standins.server import Frames, Recorded, Standin, Talk, main

_NDJSON = "application/x-ndjson"
_CREATED = "2026-01-01T00:00:00Z"


class OllamaStandin(Standin):
    """Speaks `/api/...` as Ollama does, errors included."""

    provider = "ollama"
    usual_model = "standin:latest"

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.allocated: int | None = None
        self.pull_fails = False

    def is_chat(self, path: str) -> bool:
        return path == "/api/chat"

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, Any]:
        match path:
            case "/":
                return 200, "Ollama is running"
            case "/api/version":
                return 200, {"version": "0.33.0"}
            case "/api/tags":
                return 200, {"models": [self._listed(name) for name in self.models]}
            case "/api/ps":
                running = [
                    {**self._listed(name), "context_length": self.allocated}
                    for name in self.models[:1]
                    if self.allocated is not None
                ]
                return 200, {"models": running}
        return 404, {"error": "not found"}

    def post(self, talk: Talk, path: str, body: Any) -> None:
        name = body.get("model") or body.get("name") or ""
        if path == "/api/show":
            if self._has(name):
                talk.json(200, self._shown())
            else:
                talk.json(404, {"error": f"model '{name}' not found"})
        elif path == "/api/embed":
            self._embed(talk, name, body["input"])
        elif path == "/api/pull":
            self._pull(talk, name)
        else:
            talk.json(404, {"error": "not found"})

    def chat(self, talk: Talk, request: Recorded, reply: Reply) -> None:
        name = request.body.get("model", "")
        if reply.mode == "missing" or not self._has(name):
            talk.json(404, {"error": f"model '{name}' not found"})
        elif reply.mode == "busy":
            busy = "server busy, please try again.  maximum pending requests exceeded"
            talk.json(503, {"error": busy}, reply.retry_after)
        elif reply.mode == "status":
            error = reply.error or "llama runner process has terminated: exit status 2"
            talk.json(reply.status, {"error": error}, reply.retry_after)
        else:
            self.allocated = self.allocated or request.body.get("options", {}).get("num_ctx", 4096)
            talk.stream(self._frames(request.body, reply), reply)

    def _frames(self, body: Any, reply: Reply) -> Frames:
        prompt = "\n".join(message["content"] for message in body["messages"])
        told = [_line(body, {"thinking": reply.thinking})] if reply.thinking else []
        if reply.mode == "think-only" and not reply.thinking:
            told = [_line(body, {"content": "<think>Let me see. "}), _line(body, {"content": "."})]
        if reply.mode == "thinking":
            told = [_line(body, {"content": part}) for part in ("<th", "ink>Hm", "m</thi", "nk>\n")]
        pieces = [*told, *(_line(body, {"content": part}) for part in reply.parts(prompt))]
        if reply.mode == "odd-json":
            pieces = [b'["not", "an", "object"]\n']
        return Frames(
            _NDJSON,
            pieces,
            [self._end(body, reply, prompt, len(pieces))],
            [json.dumps({"error": reply.error or "an error was encountered"}).encode() + b"\n"],
            _line(body, {"content": "The same line again.\n"}),
        )

    def _end(self, body: Any, reply: Reply, prompt: str, pieces: int) -> bytes:
        window = body.get("options", {}).get("num_ctx", 4096)
        counted = len(prompt) // 4 + 8
        if reply.mode == "overflow" or counted > window:
            counted = min(counted, window) // 2 + 2
        finish = reply.finish or ("length" if reply.mode == "length" else "stop")
        end = {
            "model": body["model"], "created_at": _CREATED,
            "message": {"role": "assistant", "content": ""},
            "done": True, "done_reason": finish,
            "total_duration": 9_000_000, "load_duration": 1_000_000,
            "prompt_eval_count": reply.prompt_tokens or counted,
            "prompt_eval_duration": 2_000_000, "eval_count": pieces, "eval_duration": 5_000_000,
        }  # fmt: skip
        return json.dumps(end).encode() + b"\n"

    def _embed(self, talk: Talk, name: str, texts: list[str]) -> None:
        if not self._has(name):
            talk.json(404, {"error": f'model "{name}" not found, try pulling it first'})
        elif self.embedding[:1] == ["busy"]:
            self.embedding.pop(0)
            busy = "server busy, please try again.  maximum pending requests exceeded"
            talk.json(503, {"error": busy}, "7")
        else:
            made = {"model": name, "embeddings": self.vectors(texts)}
            talk.json(200, made | self.counted(texts, lambda n: {"prompt_eval_count": n}))

    def _pull(self, talk: Talk, name: str) -> None:
        digest = "sha256:" + "ab" * 32
        lines: list[dict[str, Any]] = [{"status": "pulling manifest"}]
        if self.pull_fails:
            lines.append({"error": "pull model manifest: file does not exist"})
        else:
            for done in (0, 400, 800, 1000):
                lines.append(
                    {"status": f"pulling {digest[7:19]}", "digest": digest, "total": 1000}
                    | ({"completed": done} if done else {})
                )
            lines += [{"status": "verifying sha256 digest"}, {"status": "success"}]
            self.models.append(name)
        frames = [json.dumps(line).encode() + b"\n" for line in lines]
        talk.stream(Frames(_NDJSON, frames, []), Reply(gap=self.pull_gap))

    def _has(self, name: str) -> bool:
        return name in self.models or f"{name}:latest" in self.models

    def _listed(self, name: str) -> dict[str, Any]:
        return {
            "name": name, "model": name, "modified_at": _CREATED, "size": 2_019_393_189,
            "digest": "ab" * 32,
            "details": {"family": "llama", "parameter_size": "3.2B", "quantization_level": "Q4"},
        }  # fmt: skip

    def _shown(self) -> dict[str, Any]:
        info = {"general.architecture": "llama", "llama.context_length": self.context_length}
        return {"details": {"family": "llama"}, "model_info": info, "capabilities": ["completion"]}


def _line(body: Any, message: dict[str, str]) -> bytes:
    data = {
        "model": body["model"], "created_at": _CREATED,
        "message": {"role": "assistant", "content": "", **message}, "done": False,
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


if __name__ == "__main__":
    main(OllamaStandin, 11434)
