// A person's memory over the real thing: `node played.ts URL SERVICE_KEY PUBLIC_KEY` ends with 0 if all of it holds.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { Conflict, Forbidden, MemoryCenter, NotFound, ReceiptInvalid, Unauthenticated, verify } from "../src/index.ts";

const [url = "", serviceKey = "", publicKey = ""] = process.argv.slice(2);
const service = new MemoryCenter(url, { token: serviceKey });
const name = `ts-${crypto.randomUUID().slice(0, 8)}`;
const { token } = await service.tokens.issue(name, { minutes: 10 });
const memory = new MemoryCenter(url, { token });
assert.equal(await memory.whose(), name);
assert.equal(await service.whose(), undefined);

// said, learned, recalled
const heard: string[] = [];
const over = new AbortController();
const listening = (async () => {
  for await (const { event } of memory.events(over.signal)) heard.push(event);
})();
const talk = await memory.conversations.findOrCreate("food", { title: "Food" });
assert.equal(await memory.conversations.findOrCreate("food"), talk);
const [said] = await memory.messages.record(talk, [
  { role: "user", content: "I'm allergic to peanuts." },
  { role: "assistant", content: "Noted." },
]);
assert.ok(said);
for (let tries = 0; (await memory.memories.list().all()).length === 0; tries++) {
  assert.ok(tries < 300, "it is never learned");
  await sleep(100);
}
const context = await memory.recall("May I eat satay?", { conversation_id: talk });
assert.match(context.prompt, /peanuts/);
const [learned] = await memory.memories.list({ validity: "active" }).all();
assert.equal(learned?.content, "I'm allergic to peanuts.");
assert.equal((await memory.memories.explain(learned.id)).memory.id, learned.id);
assert.equal(
  (await memory.messages.derived(said.id)).derived.some(({ kind }) => kind === "memory"),
  true,
);
assert.equal((await Array.fromAsync(memory.messages.list(talk))).length, 2);

// written by hand, changed, corrected
const gym = await memory.memories.create("My gym day is Monday.", { content_type: "preference" });
const paused = await memory.memories.update(gym.id, { disabled: true }, gym.version);
assert.equal(paused.disabled, true);
await memory.memories.update(gym.id, { disabled: false });
const foreseen = await memory.memories.dryRunCorrect("my gym day", "My gym day is Tuesday.");
assert.deepEqual([foreseen.id, foreseen.content], [gym.id, "My gym day is Monday."]);
const corrected = await memory.memories.correct("my gym day", "My gym day is Tuesday.");
assert.equal(corrected.content, "My gym day is Tuesday.");
await assert.rejects(memory.memories.correct("my passport number", "It expired."), (problem: unknown) => {
  return problem instanceof Conflict && problem.code === "nothing_corrected";
});

// another person's, and what a token is not good for
const other = service.forUser(`${name}-other`);
await assert.rejects(other.memories.get(learned.id), NotFound);
const reading = await service.tokens.issue(name, { scopes: ["memory:read"] });
const reader = new MemoryCenter(url, { token: reading.token });
await assert.rejects(reader.memories.create("I live in Oslo."), Forbidden);
await assert.rejects(new MemoryCenter(url, { token: "nobody" }).settings.get(), Unauthenticated);

// documents, exports
const text = new TextEncoder().encode("# House\n\nThe boiler was serviced in May.\n");
const document = await memory.documents.add(text, { name: "house notes.md", mediaType: "text/markdown" });
assert.deepEqual([document.title, document.pages ?? null], ["house notes.md", null]);
const packed = await memory.exports.everything("json");
await packed.wait();
const bytes = await new Response((await memory.exports.download(packed.id)).body).bytes();
const { sha256 } = await memory.exports.get(packed.id);
assert.ok(sha256);
const rest = await memory.exports.download(packed.id, { start: 10, sha256 });
assert.deepEqual([rest.start, await new Response(rest.body).bytes()], [10, bytes.slice(10)]);
assert.match(new TextDecoder().decode(bytes), /My gym day is Tuesday/);
assert.ok((await memory.imports.preview(bytes, "application/json")).counts["memory"]);

// forgotten: at once, from everywhere, proven
const found = await memory.forget.find("my gym day");
const undone = await memory.forget.selection({ token: found.token, undo_seconds: 30 });
await undone.cancel();
assert.deepEqual(await memory.forget.description("my submarine"), []);
const [described] = await memory.forget.description("my gym day", { undo_seconds: 30 });
await described!.cancel();
const operation = await memory.forget.message(said.id, { cascade: true });
assert.doesNotMatch((await memory.recall("May I eat satay?")).prompt, /peanuts/);
await operation.wait();
await assert.rejects(memory.memories.get(learned.id), NotFound);
assert.ok(operation.receiptId);
const receipt = await memory.receipts.verify(operation.receiptId, [publicKey]);
await assert.rejects(verify(receipt, ["00".repeat(32)]), ReceiptInvalid);
const forged = structuredClone(receipt);
forged.entries[1]!.body["verified_at"] = "2020-01-01T00:00:00.000Z";
await assert.rejects(verify(forged, [publicKey]), ReceiptInvalid);

const closed = await memory.forget.everything("FORGET EVERYTHING", { close_account: true });
await closed.wait();
over.abort();
await listening;
assert.ok(heard.includes("changes") && heard.includes("operation"), String(heard));
console.log("PLAYED");
