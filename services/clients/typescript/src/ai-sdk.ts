// Memory for the AI SDK: `wrapLanguageModel({ model, middleware: memoryMiddleware(memory, { conversationId }) })`.
//
// As the proxy does it: what rarely changes goes to the end of the system message, so that a provider's prompt cache keeps
// working; what the question found goes behind the newest message of the user. Injected text is never recorded.

import { TimedOut } from "./errors.ts";
import type { MemoryCenter } from "./index.ts";

export interface MemoryOptions {
  /** Where the newest message of the user and the answer are recorded; without it nothing is, and nothing is learned. */
  conversationId?: string;
  projectId?: string;
  /** The most tokens of what is put in; default: the installation's. */
  tokenBudget?: number;
  /** What to do while memory cannot be reached: `open` goes on without it (the default), `closed` throws. */
  fail?: "open" | "closed";
  /** How long a call waits for memory, in milliseconds; default: 500. */
  patience?: number;
  /** Given the work that goes on after an answer, where a process stops with it: `waitUntil` of Vercel and the like. */
  waitUntil?: (work: Promise<unknown>) => void;
  /** Told of what `open` went on without, and of what could not be recorded. */
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
  finishReason?: string | { unified?: string };
}
type Answer = { content: Part[] };
type Streaming = { stream: ReadableStream<StreamPart> };

const QUESTION_MAX = 4_000;
const MESSAGE_MAX = 32_000;
const PATIENCE_MILLISECONDS = 500;

/** Return a text as it can be recorded: without characters that no database takes. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** Return a text as messages that are no longer than they may be. */
function pieces(text: string, id: string): { content: string; client_message_id: string }[] {
  const characters = Array.from(text); // the server counts them so, and none is cut in two
  return Array.from({ length: Math.ceil(characters.length / MESSAGE_MAX) }, (_, number) => ({
    content: characters.slice(number * MESSAGE_MAX, (number + 1) * MESSAGE_MAX).join(""),
    client_message_id: number === 0 ? id : `${id}-${number}`,
  }));
}

/** Return a middleware of the AI SDK (specification v4) that gives a model the person's memory. */
export function memoryMiddleware(memory: MemoryCenter, options: MemoryOptions = {}) {
  const asked = new WeakMap<object, Message[]>();
  let recording: Promise<unknown> = Promise.resolve();

  async function attempt<T>(work: () => Promise<T>, without: T): Promise<T> {
    try {
      return await work();
    } catch (problem) {
      if (options.fail === "closed") throw problem;
      options.onError?.(problem);
      return without;
    }
  }

  /** Record a turn behind those before it; the answer does not wait for it. */
  function record(params: Params, answer: string, completed: boolean): void {
    recording = recording.then(() => recorded(params, answer, completed)).catch(options.onError ?? (() => undefined));
    options.waitUntil?.(recording);
  }

  async function recorded(params: Params, answer: string, completed: boolean): Promise<void> {
    const { conversationId } = options;
    const prompt = asked.get(params) ?? params.prompt;
    const place = newest(prompt);
    if (conversationId === undefined || place === undefined) return;
    // A system message may hold the time of day: that makes no new message.
    const until = prompt.slice(0, place + 1).filter(({ role }) => role !== "system");
    const digest = await digestOf([conversationId, ...until.map((one) => [one.role, textOf(one)])]);
    const turn = [
      ...pieces(storable(textOf(prompt[place]!)), `${digest}-user`).map((one) => ({ role: "user" as const, ...one })),
      ...pieces(storable(answer), `${digest}-${prompt.length}`).map((one) => ({
        role: "assistant" as const,
        completed,
        ...one,
      })),
    ].filter(({ content }) => content.trim() !== ""); // such as a picture
    if (turn.length > 0) await memory.messages.record(conversationId, turn);
  }

  return {
    specificationVersion: "v4" as const,

    async transformParams<P extends Params>({ params }: { params: P }): Promise<P> {
      const place = newest(params.prompt);
      const question = place === undefined ? "" : storable(textOf(params.prompt[place]!).slice(0, QUESTION_MAX));
      const changed = await attempt(async () => {
        const recall = memory.recall(question, {
          layers: ["stable", "retrieved"],
          conversation_id: options.conversationId ?? null,
          project_id: options.projectId ?? null,
          token_budget: options.tokenBudget ?? null,
        });
        const context = await within(options.patience ?? PATIENCE_MILLISECONDS, recall);
        return withMemory(params.prompt, context.prompt, context.stable_prefix_bytes);
      }, params.prompt);
      const given = { ...params, prompt: changed };
      asked.set(given, params.prompt);
      return given;
    },

    async wrapGenerate<A extends Answer>({ doGenerate, params }: { doGenerate: () => PromiseLike<A>; params: Params }) {
      const answer = await doGenerate();
      record(params, answer.content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join(""), true);
      return answer;
    },

    async wrapStream<S extends Streaming>({ doStream, params }: { doStream: () => PromiseLike<S>; params: Params }) {
      const streaming = await doStream();
      let answer = "";
      let ended = false;
      let once = (completed: boolean) => {
        once = () => undefined;
        record(params, answer, completed);
      };
      const source = streaming.stream.getReader();
      const stream = new ReadableStream<StreamPart>({
        async pull(controller) {
          try {
            const { done, value } = await source.read();
            if (done) {
              once(ended);
              controller.close();
              return;
            }
            if (value.type === "text-delta") answer += value.delta ?? "";
            // A provider that breaks off says so in a part, and its stream ends as any other does.
            if (value.type === "finish") ended = reasonOf(value) !== "error";
            if (value.type === "error") once(false);
            controller.enqueue(value);
          } catch (problem) {
            once(false);
            controller.error(problem);
          }
        },
        async cancel(reason) {
          await source.cancel(reason);
          once(false);
        },
      });
      return { ...streaming, stream };
    },
  };
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut("memory took too long")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf({ finishReason }: StreamPart): string | undefined {
  return typeof finishReason === "object" ? finishReason.unified : finishReason;
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
