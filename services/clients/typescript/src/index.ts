// The client of one person's memory.

import { Unauthenticated } from "./errors.ts";
import type * as api from "./generated/types.gen.ts";
import { Operations, Receipts } from "./operations.ts";
import * as resources from "./resources.ts";
import { Transport, type Options } from "./transport.ts";

export type { Code } from "./codes.ts";
export * from "./errors.ts";
export type * from "./generated/types.gen.ts";
export { Operation } from "./operations.ts";
export { verify } from "./receipts.ts";
export { Pages, type Options, type Token } from "./transport.ts";

/** A change while one listens: areas to read again, or how far an operation is. */
export interface MemoryEvent {
  event: string;
  data: Record<string, unknown>;
}

/** A client of one person's memory. Uses the platform's `fetch`; there is nothing to close. */
export class MemoryCenter {
  readonly transport: Transport;
  readonly conversations: resources.Conversations;
  readonly messages: resources.Messages;
  readonly memories: resources.Memories;
  readonly documents: resources.Documents;
  readonly traits: resources.Traits;
  readonly forget: resources.Forgetting;
  readonly operations: Operations;
  readonly receipts: Receipts;
  readonly settings: resources.Settings;
  readonly preferences: resources.Preferences;
  readonly exports: resources.Exports;
  readonly imports: resources.Imports;
  readonly tokens: resources.Tokens;
  readonly #url: string;
  readonly #options: Options;

  /** @param url The address of Memory Center. */
  constructor(url: string, options: Options = {}) {
    this.#url = url;
    this.#options = options;
    const transport = new Transport(url, options);
    this.transport = transport;
    this.conversations = new resources.Conversations(transport);
    this.messages = new resources.Messages(transport);
    this.memories = new resources.Memories(transport);
    this.documents = new resources.Documents(transport);
    this.traits = new resources.Traits(transport);
    this.forget = new resources.Forgetting(transport);
    this.operations = new Operations(transport);
    this.receipts = new Receipts(transport);
    this.settings = new resources.Settings(transport);
    this.preferences = new resources.Preferences(transport);
    this.exports = new resources.Exports(transport);
    this.imports = new resources.Imports(transport);
    this.tokens = new resources.Tokens(transport);
  }

  /** Return a client for another person. */
  forUser(userId: string | undefined, token = this.#options.token): MemoryCenter {
    return new MemoryCenter(this.#url, { ...this.#options, userId, token });
  }

  /** Return whose token it is; undefined if it is refused, or is a service's key, which is nobody's. */
  async whose(): Promise<string | undefined> {
    try {
      return (await this.transport.get<{ user_id: string }>("session")).user_id;
    } catch (problem) {
      if (problem instanceof Unauthenticated) return undefined;
      throw problem;
    }
  }

  /** Return the context for a question: `prompt` goes to the model, `items` cites where all of it comes from. */
  recall(query: string, options: Partial<Omit<api.RecallIn, "query" | "user_id">> = {}): Promise<api.ContextOut> {
    return this.transport.post("recall", { ...options, query });
  }

  /** Return memories by meaning, best first. */
  search(query: string, options: Partial<Omit<api.MemorySearchIn, "query" | "user_id">> = {}): Promise<api.SearchOut> {
    return this.transport.post("memory/search", { ...options, query });
  }

  /** Record what the person thinks of an answer; return its id. */
  async feedback(said: Omit<api.FeedbackIn, "user_id">): Promise<string> {
    return (await this.transport.post<{ id: string }>("feedback", said)).id;
  }

  /** Yield `changes` and `operation` as they happen, until the signal is aborted. */
  async *events(signal?: AbortSignal): AsyncGenerator<MemoryEvent> {
    for await (const [event, data] of this.transport.events("memory/events", signal)) {
      yield { event, data: JSON.parse(data) as Record<string, unknown> };
    }
  }
}
