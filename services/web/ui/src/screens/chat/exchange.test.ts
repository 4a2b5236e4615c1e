import { afterEach, describe, expect, it, vi } from "vitest";

import { begin, carryOn, type Exchange, STOPPED } from "./exchange";
import "@/app/client";
import { client } from "@/client/client.gen";
import { codeOf, Unreachable } from "@/shared/problems";

const CONVERSATION = "01a20331-754e-70cc-b68c-8f062c4e4e5b";
const SAID = "01a20331-75b9-7125-a393-38a3988bea3d";
const ANSWERED = "01a20331-75b9-7125-a393-38a3988beaff";
const CITED = "01a20331-0000-7125-a393-38a3988beaff";

interface Call {
  path: string;
  body: Record<string, unknown>;
  key: string | null;
}

type Reply = (call: Call) => Response | Promise<Response>;

/** A server that answers the calls it gets in turn, and remembers them. */
function server(...replies: Reply[]): Call[] {
  const calls: Call[] = [];
  const fetch = async (request: Request) => {
    const call = {
      path: new URL(request.url).pathname,
      body: (await request.json()) as Record<string, unknown>,
      key: request.headers.get("idempotency-key"),
    };
    calls.push(call);
    const reply = replies.shift();
    if (reply === undefined) throw new Error(`nobody expected ${call.path}`);
    return reply(call);
  };
  vi.stubGlobal("fetch", fetch);
  client.setConfig({ baseUrl: "http://memory.test", throwOnError: true, fetch: fetch as typeof globalThis.fetch });
  return calls;
}

const opened: Reply = () => Response.json({ id: CONVERSATION }, { status: 201 });
const recorded =
  (id: string, outcome = "recorded"): Reply =>
  () =>
    Response.json({ messages: [{ id, outcome }] }, { status: 201 });
const away: Reply = () => Promise.reject(new TypeError("network"));
const refused =
  (status: number, code: string): Reply =>
  () =>
    Response.json({ status, code, title: "No." }, { status });
const streamed =
  (...events: [string, unknown][]): Reply =>
  () =>
    new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""));

const CONTEXT: [string, unknown] = ["context", { items: [{ id: CITED, reason_code: "confirmed" }] }];
const DONE: [string, unknown] = ["done", { responder: "built_in", cited: [], because: null }];
const answered = streamed(CONTEXT, ["delta", { text: "You live " }], ["delta", { text: "in Lisbon." }], DONE);

async function go(exchange: Exchange): Promise<{ last: Exchange; told: Exchange[] }> {
  const told: Exchange[] = [];
  const last = await carryOn(exchange, (now) => told.push(now), new AbortController().signal);
  return { last, told };
}

const before = client.getConfig();
afterEach(() => {
  vi.unstubAllGlobals();
  client.setConfig(before);
});

describe("an exchange", () => {
  it("is said, answered and kept, and opens its conversation", async () => {
    const calls = server(opened, recorded(SAID), answered, recorded(ANSWERED));
    const { last, told } = await go(begin("Where do I live?", undefined, false));

    expect(last).toMatchObject({ step: "done", conversation: CONVERSATION, said: SAID, answered: ANSWERED });
    expect(last.reasons).toEqual({ [CITED]: "confirmed" });
    expect(told.map(({ answer }) => answer)).toContain("You live ");
    expect(calls.map(({ path }) => path)).toEqual([
      "/api/v1/conversations",
      "/api/v1/messages",
      "/api/v1/chat/completions",
      "/api/v1/messages",
    ]);
    expect(calls[0]?.body).toEqual({ remember: false });
    expect(calls[3]?.body).toMatchObject({
      messages: [{ role: "assistant", content: "You live in Lisbon.", name: "built_in" }],
    });
  });

  it("keeps no answer that a model broke off in the middle", async () => {
    const broken = streamed(
      CONTEXT,
      ["delta", { text: "Take 500 mg, but never" }],
      ["done", { responder: "llm", cited: [], because: "llm_failed" }],
    );
    const calls = server(opened, recorded(SAID), broken);
    const { last } = await go(begin("How much?", undefined, true));
    expect(last.step).toBe("answering");
    expect(last.failure).toBeInstanceOf(Unreachable);
    expect(calls).toHaveLength(3);
  });

  it("goes on where it failed, under the same names", async () => {
    const first = server(away);
    const { last: unsent } = await go(begin("Hello", undefined, true));
    expect(unsent.failure).toBeInstanceOf(Unreachable);
    expect(unsent.step).toBe("saying");

    const second = server(opened, away);
    const { last: unsaid } = await go(unsent);
    expect(unsaid).toMatchObject({ step: "saying", conversation: CONVERSATION });
    expect(second[0]?.key).toBe(first[0]?.key);

    const third = server(recorded(SAID, "repeated"), refused(404, "not_found"));
    const { last: unanswered } = await go(unsaid);
    expect(unanswered.step).toBe("answering");
    expect(codeOf(unanswered.failure)).toBe("not_found");
    expect(third[0]?.body).toEqual(second[1]?.body);

    const fourth = server(answered, away);
    const { last: unkept } = await go(unanswered);
    expect(unkept).toMatchObject({ step: "keeping", answer: "You live in Lisbon." });

    const fifth = server(recorded(ANSWERED, "repeated"));
    const { last: whole } = await go(unkept);
    expect(whole).toMatchObject({ step: "done", failure: undefined });
    expect(fifth[0]?.body).toEqual(fourth[1]?.body);
  });

  it("does not take an answer that broke off for a whole one", async () => {
    server(recorded(SAID), streamed(CONTEXT, ["delta", { text: "You live " }]));
    const { last } = await go(begin("Where?", CONVERSATION, true));
    expect(last.step).toBe("answering");
    expect(last.failure).toBeInstanceOf(Unreachable);
  });

  it("answers nothing to what was forgotten between two attempts", async () => {
    const calls = server(recorded(SAID, "erased"));
    const { last } = await go(begin("Hello", CONVERSATION, true));
    expect(last.step).toBe("done");
    expect(last.said).toBeUndefined();
    expect(calls).toHaveLength(1);
  });

  it("neither records nor shows the answer to a message that was forgotten while it was written", async () => {
    const done = { responder: "llm", cited: [], because: null };
    const answer = streamed(["delta", { text: "You live in Rome." }], ["done", done]);
    const calls = server(recorded(SAID), answer, recorded(ANSWERED, "erased"));
    const { last } = await go(begin("Hello", CONVERSATION, true));
    expect(calls[2]?.body).toMatchObject({ messages: [{ answers: SAID }] });
    expect(last).toMatchObject({ step: "done", answer: "" });
    expect(last.answered).toBeUndefined();
  });

  it("records a stand-in for a language model as one", async () => {
    const done = { responder: "built_in", cited: [], because: "llm_failed" };
    const calls = server(recorded(SAID), streamed(["delta", { text: "I see." }], ["done", done]), recorded(ANSWERED));
    await go(begin("Hello", CONVERSATION, true));
    expect(calls[2]?.body).toMatchObject({ messages: [{ name: "built_in_stand_in" }] });
  });

  it("keeps what was answered until it was stopped", async () => {
    const stopper = new AbortController();
    const endless = () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('event: delta\ndata: {"text":"You live [Memo"}\n\n'));
          },
        }),
      );
    const calls = server(recorded(SAID), endless, recorded(ANSWERED));
    const tell = ({ answer }: Exchange) => answer !== "" && stopper.abort();
    const last = await carryOn(begin("Where?", CONVERSATION, true), tell, stopper.signal);
    expect(last).toMatchObject({ step: "done", answer: "You live" });
    expect(calls[2]?.body).toMatchObject({ messages: [{ content: "You live", completed: false }] });
  });

  it("that was stopped before a word asks what to do", async () => {
    const stopper = new AbortController();
    server(recorded(SAID), () => {
      stopper.abort();
      return Promise.reject(new DOMException("stopped", "AbortError"));
    });
    const last = await carryOn(begin("Where?", CONVERSATION, true), () => undefined, stopper.signal);
    expect(last).toMatchObject({ step: "answering", failure: STOPPED });
  });
});
