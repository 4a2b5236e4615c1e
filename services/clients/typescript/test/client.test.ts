// The client beside a scripted server: what is repeated, what an error says, how lists and events go on.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after, beforeEach, test } from "node:test";

import { memoryMiddleware } from "../src/ai-sdk.ts";
import { ApiError, Changed, ConnectionFailed, MemoryCenter, NotFound, ServerFailed, TimedOut } from "../src/index.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let handlers: Handler[] = [];
const seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    const next = handlers.shift();
    assert.ok(next, `nobody answers ${request.method} ${request.url}`);
    next(request, response, body);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
assert.ok(typeof address === "object" && address !== null);
const url = `http://127.0.0.1:${address.port}/`;

beforeEach(() => {
  handlers = [];
  seen.length = 0;
});
after(() => server.close());

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const lose: Handler = (request) => request.socket.destroy();

test("a lost write is sent again under the same key, and a refused one once the server says so", async () => {
  handlers = [lose, answer(503, { code: "busy" }, { "Retry-After": "0" }), answer(201, { id: "m" })];
  const memory = new MemoryCenter(url, { token: () => Promise.resolve("t"), userId: "ada" });
  await memory.memories.create("I live in Oslo.");
  const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"]));
  assert.equal(seen.length, 3);
  assert.equal(keys.size, 1);
  assert.equal(seen[2]?.headers.authorization, "Bearer t");
  assert.deepEqual(JSON.parse(seen[2]?.body ?? ""), { user_id: "ada", content: "I live in Oslo." });
});

test("who is asked to wait long is told at once", async () => {
  for (const later of ["300", "Fri, 01 Jan 2100 00:00:00 GMT"]) {
    handlers = [answer(503, { code: "busy" }, { "Retry-After": later })];
    const failed = await new MemoryCenter(url).memories.get("m").catch((problem: unknown) => problem);
    assert.ok(failed instanceof ApiError);
    assert.equal(failed.status, 503);
  }
});

test("a document keeps its name, whatever is in it", async () => {
  handlers = [answer(201, {})];
  const file = { name: "O'Brien (1)*.pdf", mediaType: "application/pdf" as const };
  await new MemoryCenter(url).documents.add(new Uint8Array([1]), file);
  assert.equal(seen[0]?.headers["content-disposition"], "attachment; filename*=UTF-8''O%27Brien%20%281%29%2A.pdf");
});

test("what is refused for good is not repeated, and says a code and nothing that was sent", async () => {
  handlers = [answer(404, { code: "not_found", title: "There is no such thing.", request_id: "r-1" })];
  const failed = await new MemoryCenter(url).memories.get("secret-id").catch((problem: unknown) => problem);
  assert.ok(failed instanceof NotFound);
  assert.ok(failed instanceof ApiError);
  assert.deepEqual([failed.name, failed.status, failed.code, failed.requestId], ["NotFound", 404, "not_found", "r-1"]);
  assert.ok(!String(failed).includes("secret-id"));
  assert.equal(seen.length, 1);
  handlers = [answer(412, {})];
  await assert.rejects(new MemoryCenter(url).memories.update("m", { disabled: true }, 3), Changed);
  assert.equal(seen[1]?.headers["if-match"], '"3"');
  handlers = [(_, response) => void response.writeHead(500).end("<html>")];
  await assert.rejects(new MemoryCenter(url).memories.get("m"), (problem: unknown) => {
    return problem instanceof ServerFailed && problem.code === "http_500";
  });
});

test("a server that is away or silent is said to be", async () => {
  const nobody = new MemoryCenter("http://127.0.0.1:9", { retries: 0 });
  await assert.rejects(nobody.recall("tea"), ConnectionFailed);
  handlers = [() => undefined];
  await assert.rejects(new MemoryCenter(url, { retries: 0, timeout: 100 }).recall("tea"), TimedOut);
});

test("a list goes on page after page, and what is undefined is left out", async () => {
  const more = { Link: `</api/v1/memory/long_term?cursor=a%2Fb&limit=1>; rel="next"` };
  handlers = [answer(200, [{ id: "1" }], more), answer(200, [{ id: "2" }])];
  const found = await new MemoryCenter(url).memories.list({ validity: "active", limit: 1 }).all();
  assert.deepEqual(
    found.map(({ id }) => id),
    ["1", "2"],
  );
  assert.equal(seen[0]?.url, "/api/v1/memory/long_term?validity=active&limit=1");
  assert.equal(new URL(seen[1]?.url ?? "", url).searchParams.get("cursor"), "a/b");
});

test("events are read whole however they are cut, and go on after a lost connection", async () => {
  const begun = { "Content-Type": "text/event-stream" };
  handlers = [
    (_, response) => {
      response.writeHead(200, begun).write(": hello\n\nid: 7\nevent: cha");
      setTimeout(() => response.end('nges\ndata: {"areas":\ndata: ["memories"]}\n\n'), 20);
    },
    (_, response) => void response.writeHead(200, begun).write('event: operation\ndata: {"op_id":"o"}\n\n'),
  ];
  const over = new AbortController();
  const found: unknown[] = [];
  for await (const one of new MemoryCenter(url).events(over.signal)) {
    found.push(one);
    if (found.length === 2) over.abort();
  }
  assert.deepEqual(found, [
    { event: "changes", data: { areas: ["memories"] } },
    { event: "operation", data: { op_id: "o" } },
  ]);
  assert.equal(seen[1]?.headers["last-event-id"], "7");
});

test("an operation is waited for, and its receipt when the account is gone", async () => {
  handlers = [
    answer(202, { op_id: "o", receipt_id: "r" }),
    answer(200, { status: "running" }),
    answer(404, { code: "not_found" }),
    answer(200, { status: "succeeded", purged_at: null }),
  ];
  const operation = await new MemoryCenter(url).forget.everything("FORGET EVERYTHING", { close_account: true });
  await operation.wait();
  assert.deepEqual(
    seen.map(({ method, url: path }) => `${method} ${path}`),
    ["POST /api/v1/memory/forget", "GET /api/v1/memory/ops/o", "GET /api/v1/memory/ops/o", "GET /api/v1/receipts/r"],
  );
});

test("an answer that is lost on the way is asked for again under the same key", async () => {
  const half: Handler = (request, response) => {
    response.writeHead(201, { "Content-Type": "application/json", "Content-Length": "100" }).write('{"id":');
    setTimeout(() => request.socket.destroy(), 20);
  };
  handlers = [half, answer(201, { id: "m" })];
  const memory = await new MemoryCenter(url).memories.create("I row.");
  assert.equal(memory.id, "m");
  assert.equal(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size, 1);
});

test("a package comes for as long as it takes", async () => {
  handlers = [
    (_, response) => {
      response.writeHead(200, { "Content-Type": "application/zip" }).write("first ");
      setTimeout(() => response.end("last"), 300);
    },
  ];
  const { body } = await new MemoryCenter(url, { timeout: 100 }).exports.download("o");
  assert.equal(await new Response(body).text(), "first last");
});

test("a download goes on, or begins anew if the package is another one", async () => {
  handlers = [answer(206, {}), answer(200, {})];
  const exports = new MemoryCenter(url).exports;
  const from = { start: 7, sha256: "ab" };
  assert.equal((await exports.download("o", from)).start, 7);
  assert.equal((await exports.download("o", from)).start, 0);
  assert.deepEqual(
    seen.map(({ headers }) => [headers.range, headers["if-range"]]),
    Array(2).fill(["bytes=7-", '"ab"']),
  );
});

test("an import restores forgotten memories only if it is told to", async () => {
  handlers = [answer(202, { op_id: "o" }), answer(202, { op_id: "o" })];
  const imports = new MemoryCenter(url).imports;
  await imports.start(new Uint8Array(1));
  await imports.start(new Uint8Array(1), "application/zip", { restoreForgotten: true });
  assert.deepEqual(
    seen.map(({ url: path }) => path?.includes("restore_forgotten=true")),
    [false, true],
  );
});

test("all that a description means is forgotten, however much", async () => {
  const found = (more: boolean) => answer(200, { candidates: [{ sure: true }], token: "t", more });
  handlers = [found(true), answer(202, { op_id: "one" }), found(false), answer(202, { op_id: "two" })];
  const operations = await new MemoryCenter(url).forget.description("everything about Frank");
  assert.deepEqual(
    operations.map(({ id }) => id),
    ["one", "two"],
  );
});

test("events go on after a server that is busy", async () => {
  const said: Handler = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).end("event: changes\ndata: {}\n\n");
  };
  handlers = [answer(503, { code: "busy" }, { "Retry-After": "0" }), said];
  for await (const event of new MemoryCenter(url).events()) {
    assert.deepEqual(event, { event: "changes", data: {} });
    break;
  }
});

const params = { prompt: [{ role: "user", content: "May I eat satay?" }] };
const streamOf = (...parts: { type: string; [name: string]: unknown }[]) => ({
  stream: new ReadableStream({
    start(controller) {
      parts.forEach((part) => controller.enqueue(part));
      controller.close();
    },
  }),
});

test("an AI SDK call waits for memory for its patience and for recording not at all", async () => {
  let asked = () => undefined as void;
  const recording = new Promise<void>((resolve) => (asked = resolve));
  handlers = [() => undefined, () => asked()];
  const problems: unknown[] = [];
  const memory = memoryMiddleware(new MemoryCenter(url, { timeout: 1_000, retries: 0 }), {
    conversationId: "c",
    patience: 50,
    onError: (problem) => problems.push(problem),
    waitUntil: (work) => works.push(work),
  });
  const works: Promise<unknown>[] = [];
  const began = performance.now();
  const given = await memory.transformParams({ params });
  const text = { type: "text", text: "No." };
  const told = await memory.wrapGenerate({ doGenerate: () => Promise.resolve({ content: [text] }), params: given });
  assert.ok(performance.now() - began < 900);
  assert.deepEqual(told.content, [text]);
  assert.deepEqual(given.prompt, params.prompt);
  assert.ok(problems[0] instanceof TimedOut);
  await recording;
  assert.equal(works.length, 1); // what a process that would stop with the answer has to wait for
  await works[0];
});

test("an AI SDK turn is recorded as far as it can be", async () => {
  const recorded = async (content: unknown[]): Promise<[string, number][]> => {
    const body = new Promise<string>((resolve) => {
      handlers = [
        (request, response, body) => {
          resolve(body);
          answer(201, { messages: [] })(request, response, body);
        },
      ];
    });
    const memory = memoryMiddleware(new MemoryCenter(url), { conversationId: "c" });
    const text = { type: "text", text: "Nice." };
    const said = { prompt: [{ role: "user", content: content as { type: string }[] }] };
    await memory.wrapGenerate({ doGenerate: () => Promise.resolve({ content: [text] }), params: said });
    const { messages } = JSON.parse(await body) as { messages: { role: string; content: string }[] };
    return messages.map(({ role, content: words }) => [role, words.length]);
  };
  assert.deepEqual(await recorded([{ type: "file" }]), [["assistant", 5]]);
  assert.deepEqual(await recorded([{ type: "text", text: "\0x".repeat(30_000) }]), [
    ["user", 30_000],
    ["assistant", 5],
  ]);
  assert.deepEqual(await recorded([{ type: "text", text: "🐝".repeat(40_000) }]), [
    ["user", 64_000],
    ["user", 16_000],
    ["assistant", 5],
  ]);
});

for (const [ended, parts] of [
  [true, [{ type: "finish", finishReason: { unified: "stop" } }]],
  [
    false,
    [
      { type: "error", error: "broken" },
      { type: "finish", finishReason: { unified: "error" } },
    ],
  ],
  [false, []],
] as const) {
  test(`an AI SDK answer that ${ended ? "came to its end" : "broke off"} is recorded so (${parts.length})`, async () => {
    const recorded = new Promise<{ messages: { completed?: boolean }[] }>((resolve) => {
      handlers = [
        (request, response, body) => {
          resolve(JSON.parse(body) as { messages: { completed?: boolean }[] });
          answer(201, { messages: [] })(request, response, body);
        },
      ];
    });
    const memory = memoryMiddleware(new MemoryCenter(url), { conversationId: "c" });
    const stream = streamOf({ type: "text-delta", delta: "Half an" }, ...parts);
    const given = await memory.wrapStream({ doStream: () => Promise.resolve(stream), params });
    await given.stream.pipeTo(new WritableStream());
    assert.equal((await recorded).messages[1]?.completed, ended);
  });
}
