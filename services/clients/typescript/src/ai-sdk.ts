// Memory for the AI SDK: `wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { conversationId }) })`.
//
// As the proxy does it: what rarely changes goes to the end of the system message, so that a provider's prompt cache keeps
// working; what the question found goes behind the newest message of the user. Injected text is never recorded.

import type { MemoryCenter } from "./index.ts";

export interface MemoryOptions {
  /** Where the newest message of the user and the answer are recorded; without it nothing is, and nothing is learned. */
  conversationId?: string;
  projectId?: string;
  /** The most tokens of what is put in; default: the installation's. */
  tokenBudget?: number;
  /** What to do while memory cannot be reached: `open` goes on without it (the default), `closed` throws. */
  fail?: "open" | "closed";
  /** Told of what `open` went on without. */
  onError?: (problem: unknown) => void;
}

// The parts of the AI SDK's own types that are used here; it is no dependency of the client.
interface Part {
  type: string;
  text?: string;
}
interface Message {
  role: string;
  content: string | Part[];
}
interface Params {
  prompt: Message[];
}
interface StreamPart {
  type: string;
  delta?: string;
}
type Answer = { content: Part[] };
type Streaming = { stream: ReadableStream<StreamPart> };

const QUESTION_MAX = 4_000;

/** Return a middleware of the AI SDK (specification v4) that gives a model the person's memory. */
export function memoryMiddleware(memory: MemoryCenter, options: MemoryOptions = {}) {
  const asked = new WeakMap<object, Message[]>();

  async function attempt<T>(work: () => Promise<T>, without: T): Promise<T> {
    try {
      return await work();
    } catch (problem) {
      if (options.fail === "closed") throw problem;
      options.onError?.(problem);
      return without;
    }
  }

  async function record(params: Params, answer: string, completed: boolean): Promise<void> {
    const { conversationId } = options;
    const prompt = asked.get(params) ?? params.prompt;
    const place = newest(prompt);
    if (conversationId === undefined || place === undefined) return;
    const digest = await digestOf([conversationId, prompt.slice(0, place + 1)]);
    const said = [{ role: "user" as const, content: textOf(prompt[place]!), client_message_id: `${digest}-user` }];
    const answered = answer.trim()
      ? [{ role: "assistant" as const, content: answer, completed, client_message_id: `${digest}-${prompt.length}` }]
      : [];
    await attempt(() => memory.messages.record(conversationId, [...said, ...answered]), []);
  }

  return {
    specificationVersion: "v4" as const,

    async transformParams<P extends Params>({ params }: { params: P }): Promise<P> {
      const place = newest(params.prompt);
      const question = place === undefined ? "" : textOf(params.prompt[place]!).slice(0, QUESTION_MAX);
      const changed = await attempt(async () => {
        const context = await memory.recall(question, {
          layers: ["stable", "retrieved"],
          conversation_id: options.conversationId ?? null,
          project_id: options.projectId ?? null,
          token_budget: options.tokenBudget ?? null,
        });
        return withMemory(params.prompt, context.prompt, context.stable_prefix_bytes);
      }, params.prompt);
      const given = { ...params, prompt: changed };
      asked.set(given, params.prompt);
      return given;
    },

    async wrapGenerate<A extends Answer>({ doGenerate, params }: { doGenerate: () => PromiseLike<A>; params: Params }) {
      const answer = await doGenerate();
      await record(
        params,
        answer.content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join(""),
        true,
      );
      return answer;
    },

    async wrapStream<S extends Streaming>({ doStream, params }: { doStream: () => PromiseLike<S>; params: Params }) {
      const streaming = await doStream();
      let answer = "";
      let recorded = false;
      const once = async (completed: boolean) => {
        if (recorded) return;
        recorded = true;
        await record(params, answer, completed);
      };
      const source = streaming.stream.getReader();
      const stream = new ReadableStream<StreamPart>({
        async pull(controller) {
          try {
            const { done, value } = await source.read();
            if (done) {
              await once(true);
              controller.close();
              return;
            }
            if (value.type === "text-delta") answer += value.delta ?? "";
            controller.enqueue(value);
          } catch (problem) {
            await once(false);
            controller.error(problem);
          }
        },
        async cancel(reason) {
          await source.cancel(reason);
          await once(false);
        },
      });
      return { ...streaming, stream };
    },
  };
}

function newest(prompt: Message[]): number | undefined {
  const place = prompt.findLastIndex((message) => message.role === "user");
  return place === -1 ? undefined : place;
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n");
}

/** Put the first `stableBytes` bytes of a context behind the instructions, the rest behind the user's newest message. */
function withMemory(prompt: Message[], context: string, stableBytes: number): Message[] {
  const bytes = new TextEncoder().encode(context);
  const [stable = "", found = ""] = [bytes.slice(0, stableBytes), bytes.slice(stableBytes)].map((half) =>
    new TextDecoder().decode(half).trim(),
  );
  const given = [...prompt];
  const place = newest(given);
  if (found && place !== undefined) {
    const message = given[place]!;
    const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    const enclosed = `<memory>\n${found.replaceAll(/<(\s*\/?\s*memory\b)/gi, "&lt;$1")}\n</memory>`;
    given[place] = { ...message, content: [...parts, { type: "text", text: enclosed }] };
  }
  if (stable) {
    const leading = given.findIndex((message) => message.role !== "system");
    const last = (leading === -1 ? given.length : leading) - 1;
    if (last < 0) given.unshift({ role: "system", content: stable });
    else given[last] = { ...given[last]!, content: `${textOf(given[last]!)}\n\n${stable}` };
  }
  return given;
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
