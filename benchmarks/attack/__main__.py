"""Attack a server from all sides at once: is anything lost, leaked, or held up for the others?

    python -m benchmarks.attack [--minutes 120] [--kill-every 120] [--seed 1] [--folder DIR]
                                [--json FILE]

Starts `serve.py` with `LOGIN=required` and directories of its own. Ordinary people add documents,
ask and remove; beside them come fuzzed requests, hostile files, questions to a model's server that
hangs, strangers and foreign origins, half-open connections, and every now and then `kill -9`. At
the end every document that was acknowledged is read and searched for. Prints the figures as JSON
and as a row of Markdown; the status is 1 where something was found that should not have been.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.attack.parties import (
    Asker,
    Fuzzer,
    HalfOpen,
    Person,
    Stranger,
    Uploader,
    Waiter,
)
from benchmarks.attack.seen import Seen, spread
from benchmarks.attack.server import ROOT, Server, keys_of, watch, weigh
from tests.browser.servers import free_port
from tests.standins.openai_server import OpenAIStandin
from tests.standins.openid import Account, OpenIdStandin
from tests.standins.scripts import Reply, Script

ASKERS = ("ada", "bob", "cleo")
WAITERS = tuple(f"hank{number}" for number in range(6))
FUZZERS = ("mallory", "mallet")
_SETTLE_SECONDS = 900.0


class Attack:
    """All parties around one server, each in a thread of its own."""

    def __init__(self, server: Server, keys: dict[str, str], seen: Seen, seed: int) -> None:
        self.server, self.seen, self.over = server, seen, threading.Event()
        self._keys, self._seed = keys, seed
        self.askers = [self._person(Asker, who) for who in ASKERS]
        fuzzers = [
            self._person(Fuzzer, who, sessions_of_others=lambda: [a.session for a in self.askers])
            for who in FUZZERS
        ]
        self.fuzzers, self.uploader = fuzzers, self._person(Uploader, "oskar")
        self.others: list[Person] = [
            *fuzzers,
            *(self._person(Waiter, who) for who in WAITERS),
            self.uploader,
            self._person(Stranger, "stranger"),
            self._person(HalfOpen, "nobody"),
        ]

    def _person(self, kind: type, who: str, **more: object) -> object:
        chance = random.Random(f"{self._seed} {who}")
        return kind(who, self._keys.get(who, ""), self.server, self.seen, chance, **more)

    def run(self, seconds: float, kill_every: float) -> None:
        """Let them all loose for so long, with a kill now and then; then prove what is left."""
        for person in (*self.askers, *self.others):
            if person.key:
                person.begin()
        described = self.askers[0].client.get("/openapi.json").raise_for_status().json()
        for fuzzer in self.fuzzers:
            fuzzer.learn(described)
        threads = [
            threading.Thread(target=self._follow, args=(person,))
            for person in (*self.askers, *self.others)
        ]
        for work in (watch, weigh):
            threads.append(threading.Thread(target=work, args=(self.server, self.seen, self.over)))
        for thread in threads:
            thread.start()
        try:
            self._kill_now_and_then(seconds, kill_every)
        finally:
            self.over.set()
            for thread in threads:
                thread.join(180)
        self.uploader.leave()
        for asker in self.askers:
            asker.settle(_SETTLE_SECONDS)

    def _follow(self, person: Person) -> None:
        while not self.over.is_set():
            try:
                person.act()
            except Exception as error:  # the attack goes on; a fault of its own is a finding
                self.seen.finding("faults of the attack itself", f"{person.who}: {error!r}")
                time.sleep(1)

    def _kill_now_and_then(self, seconds: float, every: float) -> None:
        chance, end = random.Random(self._seed), time.monotonic() + seconds
        next_kill = time.monotonic() + every * chance.uniform(0.5, 1.0)
        while (now := time.monotonic()) < end:
            if self.server.ended_by_itself():
                self.server.revive()
            if every and now >= next_kill:
                self.server.kill()
                self.server.start()
                next_kill = time.monotonic() + every * chance.uniform(0.3, 1.7)
            time.sleep(0.2)


def report(seen: Seen, minutes: float, log: str) -> dict[str, object]:
    """The figures."""
    tracebacks = log.count("Traceback (most recent call last)")
    findings = {kind: seen.found(kind) for kind in sorted(seen.findings)}
    return {
        "minutes": round(minutes, 1),
        "lost": seen.found("lost") + seen.found("came back"),
        "leaks": seen.found("leaks"),
        "findings": findings,
        "of each kind": seen.findings,
        "tracebacks in the log": tracebacks,
        "counts": {k: v for k, v in sorted(seen.counts.items()) if not k.startswith("finding")},
        "milliseconds": {what: spread(times) for what, times in sorted(seen.times.items())},
    }


def table(found: dict[str, object], seen: Seen) -> str:
    """The row for docs/operations.md, with its head."""
    health, answers = spread(seen.times["health"]), spread(seen.times.get("answers", []))
    idle, c = spread(seen.times["a program that does nothing"]), seen.counts
    statuses = {int(name[7:]): number for name, number in c.items() if name.startswith("status ")}
    cells = {
        "minutes": found["minutes"],
        "kills": c["kills"],
        "requests": sum(statuses.values()),
        "acknowledged, lost": f"{c['documents acknowledged']}, {found['lost']}",
        "leaks": found["leaks"],
        "strangers let in": seen.found("strangers let in"),
        "neither 2xx nor 4xx": seen.found("neither 2xx nor 4xx"),
        "503 with Retry-After": statuses.get(503, 0),
        "health p50, p99": f"{health.get('p50', 0)} ms, {health.get('p99', 0)} ms",
        "idle program p99": f"{idle.get('p99', 0)} ms",
        "answers p50, p95": f"{answers.get('p50', 0)} ms, {answers.get('p95', 0)} ms",
        "server, tree at most": f"{c['server RSS MB']} MB, {c['tree PSS MB']} MB",
    }
    rows = (cells, ["---"] * len(cells), cells.values())
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def main() -> int:
    """Run the attack and say what it found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--kill-every", type=float, default=120.0, help="seconds; 0 is never")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep data and log here")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.folder or Path(temporary)).resolve()
        found, row = attack(folder, given.minutes, given.kill_every, given.seed)
    told = json.dumps(found, indent=1, ensure_ascii=False)
    if given.json:
        given.json.write_text(told, "utf-8")
    print(told)
    print(row)
    return int(bool(found["findings"]))


def attack(folder: Path, minutes: float, kill_every: float, seed: int) -> tuple[dict, str]:
    """The whole run: provider and model, server, parties, report."""
    seen, port = Seen(), free_port()
    home = folder / "home"
    (home / ".streamlit").mkdir(parents=True, exist_ok=True)
    hanging = Script(models=("hangs",), replies=(Reply(mode="hang-first", times=None),))
    with (
        OpenIdStandin(Account("7", "Ida Holm", "ida@example.org")) as provider,
        OpenAIStandin(hanging) as model,
    ):
        secrets = provider.secrets(f"http://127.0.0.1:{port}")
        (home / ".streamlit" / "secrets.toml").write_text(secrets)
        keys = keys_of(folder, [*ASKERS, *FUZZERS, *WAITERS, "oskar"])
        environment = {
            "DATA_DIR": str(folder / "data"),
            "CHROMA_DIR": str(folder / "chroma"),
            "MODELS_DIR": str(ROOT / ".cache" / "models"),
            "HOME": str(home),
            "HF_HUB_OFFLINE": "1",
            "RERANKER_MODEL": "",
            "LOGIN": "required",
            "OPENAI_URL": model.url,
            "OLLAMA_URL": "",
        }
        server = Server(folder, port, environment, seen)
        server.start()
        began = time.monotonic()
        try:
            Attack(server, keys, seen, seed).run(minutes * 60, kill_every)
        finally:
            server.stop()
        log = server.log.read_text("utf-8", "replace")
    found = report(seen, (time.monotonic() - began) / 60, log)
    return found, table(found, seen)


if __name__ == "__main__":
    sys.exit(main())
