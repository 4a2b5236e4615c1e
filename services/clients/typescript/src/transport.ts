// Requests, repeated where that is safe.

import { apiError, ConnectionFailed, TimedOut, UnexpectedAnswer, type ProblemDocument } from "./errors.ts";

/** A token, or a function that returns one which is good now. */
export type Token = string | (() => string | Promise<string>);

/** Members of a query or a body; what is undefined counts as left out, in a query also what is null. */
export type Members = Readonly<Record<string, unknown>>;

export interface Options {
  /** A person's token, or a service key; undefined: nothing goes with requests. */
  token?: Token | undefined;
  /** Whose memory it is, for a service key. */
  userId?: string | undefined;
  /** Of one request, in milliseconds; default: 30,000. */
  timeout?: number | undefined;
  /** How often a request is repeated whose answer was lost or which was refused for the moment; default: 2. */
  retries?: number | undefined;
  /** How requests are sent; default: the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface Sending {
  query?: Members;
  body?: Members;
  content?: Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  /** How long the server may take; default: the client's `timeout`. */
  milliseconds?: number;
  /** The body is read as it comes, for as long as it takes; it is not asked for again if the connection is lost. */
  streamed?: boolean;
}

const REPEATED: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const PAUSE_MILLISECONDS = 250;
const PAUSE_MAX_MILLISECONDS = 30_000;
const TIMEOUT_MILLISECONDS = 30_000;

/** Sends requests for one person. */
export class Transport {
  readonly #base: string;
  readonly #options: Options;

  constructor(url: string, options: Options) {
    this.#base = `${url.replace(/\/+$/, "")}/api/v1/`;
    this.#options = options;
  }

  /** Return the JSON answer of a path below `/api/v1/`. */
  async get<T>(path: string, query: Members = {}): Promise<T> {
    return json<T>(await this.send("GET", path, { query }));
  }

  async post<T>(path: string, body: Members = {}): Promise<T> {
    return json<T>(await this.send("POST", path, { body }));
  }

  async patch<T>(path: string, body: Members, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return json<T>(await this.send("PATCH", path, { body, headers }));
  }

  async delete<T>(path: string, query: Members = {}): Promise<T> {
    return json<T>(await this.send("DELETE", path, { query }));
  }

  /** Return a page of a list, and the `cursor` of the next; undefined after the last. */
  async page<T>(path: string, query: Members): Promise<[T[], string | undefined]> {
    const answer = await this.send("GET", path, { query });
    const next = /<([^>]+)>;\s*rel="?next"?/.exec(answer.headers.get("Link") ?? "")?.[1];
    const cursor = next === undefined ? undefined : new URL(next, this.#base).searchParams.get("cursor");
    return [await json<T[]>(answer), cursor ?? undefined];
  }

  /**
   * Send a request; a repeated one has the same idempotency key, and one effect. The person is named in the body if
   * there is one, else in the query.
   *
   * @throws {ApiError} Memory Center refused.
   * @throws {ConnectionFailed | TimedOut} It cannot be reached.
   */
  async send(method: string, path: string, sending: Sending = {}): Promise<Response> {
    const { query, body, content, headers, milliseconds, streamed } = sending;
    const about = this.#options.userId === undefined ? {} : { user_id: this.#options.userId };
    const address = this.#address(path, { ...(body === undefined ? about : {}), ...query });
    const once = method === "GET" || method === "PUT" ? {} : { "Idempotency-Key": crypto.randomUUID() };
    const described = body === undefined ? {} : { "Content-Type": "application/json" };
    const sent = body === undefined ? content : JSON.stringify({ ...about, ...body });
    const retries = this.#options.retries ?? 2;
    for (let tried = 0; ; tried++) {
      const all = { ...(await this.#credentials()), ...once, ...described, ...headers };
      const limit = new AbortController();
      const expired = new DOMException("no answer in time", "TimeoutError");
      const patience = milliseconds ?? this.#options.timeout ?? TIMEOUT_MILLISECONDS;
      const timer = setTimeout(() => limit.abort(expired), patience);
      let answer: Response;
      try {
        answer = await this.#fetch(address, { method, headers: all, body: sent ?? null, signal: limit.signal });
        if (streamed !== true) answer = await whole(answer); // what is lost on the way is asked for again too
      } catch (problem) {
        if (tried >= retries) throw failed(problem);
        await sleep(pauseOf(tried));
        continue;
      } finally {
        clearTimeout(timer);
      }
      if (answer.ok) return answer;
      const wait = pauseOf(tried, answer.headers.get("Retry-After"));
      if (tried >= retries || !REPEATED.has(answer.status) || wait > PAUSE_MAX_MILLISECONDS)
        throw await refused(answer);
      await answer.body?.cancel();
      await sleep(wait);
    }
  }

  /** Yield server-sent events as (event, data); after a lost connection, those since the last. */
  async *events(path: string, signal?: AbortSignal): AsyncGenerator<[string, string]> {
    const about = this.#options.userId === undefined ? {} : { user_id: this.#options.userId };
    let last = "";
    for (let failures = 0; ;) {
      try {
        const headers = { ...(await this.#credentials()), ...(last === "" ? {} : { "Last-Event-ID": last }) };
        const answer = await this.#fetch(this.#address(path, about), { headers, signal: signal ?? null });
        const wait = pauseOf(failures, answer.headers.get("Retry-After"));
        const again = REPEATED.has(answer.status) && wait <= PAUSE_MAX_MILLISECONDS;
        if (again && failures < (this.#options.retries ?? 2)) {
          failures++;
          await answer.body?.cancel();
          await sleep(wait);
          continue;
        }
        if (!answer.ok || answer.body === null) throw await refused(answer);
        for await (const { event, data, id } of received(answer.body)) {
          failures = 0;
          last = id || last;
          yield [event, data];
        }
      } catch (problem) {
        if (signal?.aborted === true) return;
        if (!(problem instanceof TypeError)) throw problem;
        if (++failures > (this.#options.retries ?? 2)) throw failed(problem);
      }
      await sleep(pauseOf(failures));
    }
  }

  async #fetch(address: URL, init: RequestInit): Promise<Response> {
    const send = this.#options.fetch ?? globalThis.fetch;
    // A browser's cookie may be another person's than the token.
    return send(address, { ...init, credentials: "omit" });
  }

  #address(path: string, query: Members): URL {
    const address = new URL(this.#base + path);
    for (const [name, value] of Object.entries(given(query))) {
      for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(name, String(one));
    }
    return address;
  }

  async #credentials(): Promise<Record<string, string>> {
    const { token } = this.#options;
    if (token === undefined) return {};
    return { Authorization: `Bearer ${typeof token === "string" ? token : await token()}` };
  }
}

/** A list that is read as it is gone through: `for await (const item of list)`, or `.pages()` for whole pages. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: Members;

  constructor(transport: Transport, path: string, query: Members = {}) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const page of this.pages()) yield* page;
  }

  async *pages(): AsyncGenerator<T[]> {
    let cursor: string | undefined;
    do {
      const [page, next] = await this.#transport.page<T>(this.#path, { ...this.#query, cursor });
      yield page;
      cursor = next;
    } while (cursor !== undefined);
  }

  /** Return all of it. */
  async all(): Promise<T[]> {
    const found: T[] = [];
    for await (const item of this) found.push(item);
    return found;
  }
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

function given(members: Members): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

/** Return how many milliseconds to wait: what the server asks for, else twice as long each time; never all at once. */
function pauseOf(tried: number, askedFor: string | null = null): number {
  const asked = millisecondsOf(askedFor);
  return asked === undefined
    ? PAUSE_MILLISECONDS * 2 ** tried * (0.5 + Math.random() / 2)
    : asked + Math.random() * PAUSE_MILLISECONDS;
}

/** A `Retry-After` is a number of seconds, or a date (RFC 9110, 10.2.3). */
function millisecondsOf(askedFor: string | null): number | undefined {
  if (askedFor === null) return undefined;
  if (/^\d+$/.test(askedFor)) return Number(askedFor) * 1000;
  const at = Date.parse(askedFor);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function failed(problem: unknown): ConnectionFailed | TimedOut {
  const timedOut = problem instanceof DOMException && problem.name === "TimeoutError";
  return timedOut ? new TimedOut("no answer in time") : new ConnectionFailed("no connection");
}

async function refused(answer: Response): Promise<Error> {
  const problem: unknown = await answer.json().catch(() => ({}));
  return apiError(answer.status, typeof problem === "object" && problem !== null ? (problem as ProblemDocument) : {});
}

/** Return an answer whose body is here. */
async function whole(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer();
  const { status, headers } = answer;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

async function json<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (text === "") return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UnexpectedAnswer("the answer is not JSON");
  }
}

interface Received {
  event: string;
  data: string;
  id: string;
}

/** Yield the events of a stream, as the standard reads it (WHATWG, "Server-sent events"). */
async function* received(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Received> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader(); // not every browser iterates over a stream
  try {
    yield* eventsOf(reader);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* eventsOf(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Received> {
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (waiting + value).replaceAll("\r\n", "\n").split("\n\n");
    waiting = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields: Record<string, string[]> = {};
      for (const line of block.split("\n")) {
        const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        (fields[name] ??= []).push(value);
      }
      const data = fields["data"]?.join("\n");
      if (data !== undefined)
        yield { event: fields["event"]?.at(-1) ?? "message", data, id: fields["id"]?.at(-1) ?? "" };
    }
  }
}
