"""An OpenAI-compatible endpoint in the test's own process: answers what the test says, keeps what it was asked."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ScriptedLlm:
    """Answers chat completions with `answers` in order, the last one again and again.

    `status` other than 200 makes it fail; `delay` (seconds) makes it slow. `prompts` holds every request's
    messages joined to one text. Whoever asks for a stream gets the answer word by word; with `breaks_after` the
    connection is lost after so many words.

    Asked what of a message is worth remembering, it answers with those of `keeps` whose quotes the message has; asked
    how statements relate, with `relation` for each; which patterns to ask about, with `asks`; which messages show them,
    with what `shows` makes of the messages. To all with `garbled` where that is set.
    """

    base_url: str = ""
    answers: list[str] = field(default_factory=lambda: ["{}"])
    status: int = 200
    delay: float = 0.0
    breaks_after: int | None = None
    prompts: list[str] = field(default_factory=list)
    keeps: list[dict[str, Any]] = field(default_factory=list)
    relation: str = "unrelated"
    asks: list[dict[str, Any]] = field(default_factory=list)
    shows: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = lambda _messages: []
    garbled: str | None = None
    raw: bytes | None = None
    """The whole body of every answer, where that is set."""
    authorizations: list[str | None] = field(default_factory=list)

    def will_keep(self, quote: str, wording: str | None = None, **more: Any) -> None:
        """Keep a piece of whatever message has it, from now on; `more` is other members of the answer."""
        kind = {"type": "fact", "safety": False, "about": "self", "time": "lasting"}
        self.keeps.append({"quote": quote, "wording": wording, **kind, **more})

    def reply(self, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Record a request and return the status and body of its answer."""
        messages: Sequence[dict[str, Any]] = request["messages"]
        self.prompts.append("\n".join(str(message["content"]) for message in messages))
        time.sleep(self.delay)
        if self.status != 200:
            return self.status, {"error": {"message": "scripted failure", "type": "scripted"}}
        content = self._reading(request)
        if content is None:
            content = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": "chatcmpl-scripted", "object": "chat.completion", "created": 0, "model": request["model"]}
        return 200, {**head, "choices": [choice], "usage": usage}

    def _reading(self, request: dict[str, Any]) -> str | None:
        """Return the answer to a question about what was said, None for anything else."""
        question = request.get("response_format", {}).get("json_schema", {}).get("name")
        if question is None or self.garbled is not None:
            return self.garbled if question else None
        about = json.loads(request["messages"][-1]["content"])
        if question == "TurnAnswer":
            kept = [one for one in self.keeps if one["quote"] in about["message"]]
            return json.dumps({"kept": kept, "sensitive": []})
        if question == "RelationsAnswer":
            told = [{"id": one["id"], "relation": self.relation} for one in about["earlier"]]
            return json.dumps({"relations": told})
        if question == "QuestionsAnswer":
            return json.dumps({"questions": self.asks})
        if question == "EvidenceAnswer":
            return json.dumps({"evidence": self.shows(about["messages"])})
        return json.dumps({"statements": []})

    def streamed(self, answer: dict[str, Any]) -> bytes:
        """Return an answer as a stream of words; a byte too few is sent where it breaks."""
        content = answer["choices"][0]["message"]["content"]
        pieces = re.findall(r"\S+\s*|\s+", content)[: self.breaks_after]
        head = {name: answer[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
        chunks = [{**head, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        return "".join(lines if self.breaks_after is not None else [*lines, "data: [DONE]\n\n"]).encode()


@contextmanager
def scripted_llm() -> Iterator[ScriptedLlm]:
    """Serve a `ScriptedLlm` on a free loopback port."""
    script = ScriptedLlm()

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.authorizations.append(self.headers.get("Authorization"))
            status, answer = script.reply(body)
            streams = status == 200 and bool(body.get("stream"))
            payload = script.streamed(answer) if streams else json.dumps(answer).encode()
            payload = script.raw if script.raw is not None else payload
            promised = len(payload) + (streams and script.breaks_after is not None)
            try:
                self.send_response(status)
                self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
                self.send_header("Content-Length", str(promised))
                self.end_headers()
                self.wfile.write(payload)
            except BrokenPipeError:
                pass  # the client gave up waiting, which some tests want

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.daemon_threads = True
    script.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="scripted-llm", daemon=True
    )
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
