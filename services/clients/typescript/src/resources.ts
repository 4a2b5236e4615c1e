// What there is of a person, by kind. Methods are named as in the Python client; members as in the API.

import { Conflict, TimedOut, TurnIsOpen } from "./errors.ts";
import type * as api from "./generated/types.gen.ts";
import { Operation } from "./operations.ts";
import { Pages, sleep, type Members, type Transport } from "./transport.ts";

/** Members of a request without those that a method's own arguments give. */
type Rest<In, Given extends string = never> = Omit<In, Given | "user_id">;
type Query<Data> = Omit<NonNullable<Data extends { query?: infer Q } ? Q : never>, "user_id" | "cursor">;

/** Of lists of memories; `metadata`: only those that have all of its members. */
type MemoryFilters = Omit<Query<api.ListLongTermData>, "metadata"> & { metadata?: Metadata };
/** What your program keeps with a memory: a flat object, at most 2,000 bytes as JSON. */
export type Metadata = Record<string, string | boolean | number>;

interface Undoable {
  /** How long a forget can be undone, up to 60 s; erasing begins after that. */
  undo_seconds?: number;
}

const LONG_TERM = "memory/long_term";
const FORGET = "memory/forget";
const MESSAGES_A_PAGE = 200;
const LOOK_MILLISECONDS = 200;

class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected async forgotten(path: string, { undo_seconds = 0 }: Undoable): Promise<Operation> {
    return new Operation(this.transport, await this.transport.delete<api.AcceptedOut>(path, { undo_seconds }));
  }
}

/** What was said, by conversation. */
export class Conversations extends Resource {
  /** Begin a conversation; return its id. */
  async create(options: Rest<api.NewConversation> = {}): Promise<string> {
    return (await this.transport.post<{ id: string }>("conversations", options)).id;
  }

  /** Return the id of the conversation that your program calls this; begin it if there is none. */
  async findOrCreate(externalId: string, options: Rest<api.NewConversation, "external_id"> = {}): Promise<string> {
    if (!externalId) throw new TypeError("an external id is needed");
    for (let trial = 0; trial < 2; trial++) {
      // another may begin it in between; a server that does not know the filter lists all
      for await (const found of this.list({ external_id: externalId })) {
        if (found.external_id === externalId) return found.id;
      }
      try {
        return await this.create({ ...options, external_id: externalId });
      } catch (error) {
        if (!(error instanceof Conflict) || error.code !== "external_id_taken") throw error;
      }
    }
    throw new TimedOut("it was begun and forgotten at the same time");
  }

  /** Return all conversations, the one spoken in last first; with `external_id` only the one your program calls this. */
  list(query: { external_id?: string } = {}): Pages<api.ConversationOut> {
    return new Pages(this.transport, "conversations", query);
  }

  get(conversationId: string): Promise<api.ConversationOut> {
    return this.transport.get(`conversations/${conversationId}`);
  }

  /** Change its title, or whether it is learned from. */
  update(conversationId: string, changes: Rest<api.ConversationPatch>): Promise<api.ConversationOut> {
    return this.transport.patch(`conversations/${conversationId}`, changes);
  }

  /** End the session, as when the person leaves: its messages are learned from at once. */
  async endSession(conversationId: string): Promise<void> {
    await this.transport.send("POST", `conversations/${conversationId}/session-end`);
  }

  /** Forget a conversation and everything learned from it. */
  delete(conversationId: string, options: Undoable = {}): Promise<Operation> {
    return this.forgotten(`conversations/${conversationId}`, options);
  }
}

export class Messages extends Resource {
  /**
   * Record messages in their order: `{ role: "user", content: "…" }`. One with a `client_message_id` that is there
   * already is not recorded again.
   */
  async record(conversationId: string, messages: readonly api.MessageIn[]): Promise<api.RecordedOut[]> {
    const body = { conversation_id: conversationId, messages };
    return (await this.transport.post<{ messages: api.RecordedOut[] }>("messages", body)).messages;
  }

  /** Yield the messages of a conversation, the newest first. */
  async *list(conversationId: string): AsyncGenerator<api.MessageOut> {
    let before: number | undefined;
    for (;;) {
      const query = { conversation_id: conversationId, limit: MESSAGES_A_PAGE, before_seq: before };
      const page = await this.transport.get<api.MessageOut[]>("messages", query);
      yield* page.toReversed();
      if (page.length < MESSAGES_A_PAGE) return;
      before = page[0]?.seq;
    }
  }

  get(messageId: string): Promise<api.MessageOut> {
    return this.transport.get(`messages/${messageId}`);
  }

  /**
   * Return what was learned from a message, once all of it is.
   *
   * @param timeout In milliseconds.
   * @throws {TurnIsOpen} Nothing answered the message yet, and its session goes on.
   * @throws {TimedOut} It is learned from later.
   */
  async wait(messageId: string, { timeout = 60_000 } = {}): Promise<api.WhatBecameOut> {
    for (const deadline = Date.now() + timeout; ; await sleep(LOOK_MILLISECONDS)) {
      const became = await this.derived(messageId);
      if (became.turn_open) throw new TurnIsOpen("record an answer, or end the session");
      if (became.awaited.length === 0) return became;
      if (Date.now() + LOOK_MILLISECONDS > deadline) throw new TimedOut("it is learned from later");
    }
  }

  /** Return what was learned from a message, or that it still waits. */
  derived(messageId: string): Promise<api.WhatBecameOut> {
    return this.transport.get(`memory/messages/${messageId}/derived`);
  }
}

/** What is remembered for the long term. */
export class Memories extends Resource {
  /** Remember a statement as it stands. */
  create(content: string, more: Partial<Rest<api.MemoryIn, "content">> = {}): Promise<api.MemoryWrittenOut> {
    return this.transport.post(LONG_TERM, { ...more, content });
  }

  /** Return memories, newest first unless `sort` says otherwise. */
  list(filters: MemoryFilters = {}): Pages<api.MemoryOut> {
    const { metadata, ...rest } = filters;
    const query = metadata === undefined ? rest : { ...rest, metadata: JSON.stringify(metadata) };
    return new Pages(this.transport, LONG_TERM, query as Members);
  }

  get(memoryId: string): Promise<api.MemoryOut> {
    return this.transport.get(`${LONG_TERM}/${memoryId}`);
  }

  /**
   * Change a memory: `disabled` pauses it, all else makes a new memory, which is returned and replaces it.
   *
   * @param version The one the change was made from; undefined: whichever there is.
   * @throws {Changed} It has another version by now.
   */
  update(memoryId: string, changes: Rest<api.MemoryPatch>, version?: number): Promise<api.MemoryWrittenOut> {
    const headers: Record<string, string> = version === undefined ? {} : { "If-Match": `"${version}"` };
    return this.transport.patch(`${LONG_TERM}/${memoryId}`, changes, headers);
  }

  /** Confirm that a memory is right; `resolve` says what becomes of one that contradicts it. */
  confirm(memoryId: string, resolve?: "replaces" | "both"): Promise<api.MemoryOut> {
    return this.transport.post(`${LONG_TERM}/confirm`, { memory_id: memoryId, resolve });
  }

  /**
   * Replace what is remembered about a matter by a statement.
   *
   * @throws {Conflict} `nothing_corrected`: nothing is remembered that it could replace.
   */
  correct(about: string, statement: string): Promise<api.CorrectedOut> {
    return this.transport.post(`${LONG_TERM}/correct`, { about, statement });
  }

  /** Say which memory `correct` would replace now, and by what; nothing changes. */
  dryRunCorrect(about: string, statement: string): Promise<api.CorrectionPreview> {
    return this.transport.post(`${LONG_TERM}/correct/dry-run`, { about, statement });
  }

  delete(memoryId: string, options: Undoable = {}): Promise<Operation> {
    return this.forgotten(`${LONG_TERM}/${memoryId}`, options);
  }

  /** Return the person's own words behind a memory, and what it replaced. */
  explain(memoryId: string): Promise<api.ExplanationOut> {
    return this.transport.get(`${LONG_TERM}/${memoryId}/explanation`);
  }

  /** Return what happened to a memory and to those it replaced. */
  history(memoryId: string): Promise<api.HistoryOut> {
    return this.transport.get(`${LONG_TERM}/${memoryId}/history`);
  }

  /** Return how many memories there are of each type, scope and so on. */
  overview(): Promise<api.OverviewOut> {
    return this.transport.get("memory/overview");
  }
}

/** What RFC 8187 wants escaped besides. */
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Documents a person added. */
export class Documents extends Resource {
  /**
   * Add a file; it is read before the answer comes.
   *
   * @throws {ValidationFailed} It cannot be read; `code` says why.
   */
  async add(
    content: Uint8Array<ArrayBuffer>,
    file: { name: string; mediaType: "text/plain" | "text/markdown" | "application/pdf"; projectId?: string },
  ): Promise<api.DocumentOut> {
    const headers = {
      "Content-Type": file.mediaType,
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, escaped)}`,
    };
    const query = { project_id: file.projectId };
    return (await (
      await this.transport.send("POST", "documents", { query, content, headers })
    ).json()) as api.DocumentOut;
  }

  /** Return all documents, newest first. */
  list(): Pages<api.DocumentOut> {
    return new Pages(this.transport, "documents");
  }

  get(documentId: string): Promise<api.DocumentOut> {
    return this.transport.get(`documents/${documentId}`);
  }

  /** Forget a document with all its parts. */
  delete(documentId: string, options: Undoable = {}): Promise<Operation> {
    return this.forgotten(`documents/${documentId}`, options);
  }
}

/** What was inferred about a person, with its evidence. */
export class Traits extends Resource {
  list(): Pages<api.TraitOut> {
    return new Pages(this.transport, "memory/traits");
  }

  explain(traitId: string): Promise<api.TraitExplanationOut> {
    return this.transport.get(`memory/traits/${traitId}/explanation`);
  }

  /** Forget a trait; it is not inferred again. */
  delete(traitId: string, options: Undoable = {}): Promise<Operation> {
    return this.forgotten(`memory/traits/${traitId}`, options);
  }
}

/** Forgets; each call returns the operation that erases and proves it. */
export class Forgetting extends Resource {
  /** Forget a message and what was learned from it; with `cascade` its whole turn. */
  message(messageId: string, { cascade = false, ...rest }: Undoable & { cascade?: boolean } = {}): Promise<Operation> {
    return this.#forget({ ...rest, scope: "message", message_id: messageId, cascade });
  }

  /** Forget a conversation and what was learned from it. */
  conversation(conversationId: string, options: Undoable = {}): Promise<Operation> {
    return this.#forget({ ...options, scope: "conversation", conversation_id: conversationId });
  }

  /** Forget messages and memories by their ids, or by the token of `find` what it marked as `sure`. */
  selection(chosen: { ids?: readonly string[]; token?: string | null } & Undoable): Promise<Operation> {
    return this.#forget({ ...chosen, scope: "selection" });
  }

  /**
   * Forget all there is about the person.
   *
   * @param confirmation `FORGET EVERYTHING` or `忘掉一切`, as the person typed it.
   */
  everything(confirmation: string, options: Undoable & { close_account?: boolean } = {}): Promise<Operation> {
    return this.#forget({ ...options, scope: "user", confirmation });
  }

  /**
   * Forget all that a description surely means, in as many operations as it takes; `find` shows what it may mean
   * besides.
   */
  async description(description: string, options: Undoable = {}): Promise<Operation[]> {
    const operations: Operation[] = [];
    for (;;) {
      const found = await this.find(description);
      if (!found.candidates.some(({ sure }) => sure)) return operations;
      operations.push(await this.selection({ ...options, token: found.token }));
      if (!found.more) return operations;
    }
  }

  /** Return what a description means, for the person to choose from; nothing is forgotten yet. */
  find(description: string): Promise<api.FoundToForgetOut> {
    return this.transport.post(`${FORGET}/find`, { description });
  }

  /** Return each item that forgetting a selection would erase. */
  preview(chosen: { ids?: readonly string[]; token?: string | null }): Promise<api.PreviewOut> {
    return this.transport.post(`${FORGET}/preview`, chosen);
  }

  /** Return how much a forget would erase. */
  dryRun(target: Rest<api.ForgetIn>): Promise<api.DryRunOut> {
    return this.transport.post(`${FORGET}/dry-run`, target);
  }

  async #forget(body: Members): Promise<Operation> {
    return new Operation(this.transport, await this.transport.post<api.AcceptedOut>(FORGET, body));
  }
}

/** What may be remembered and used. */
export class Settings extends Resource {
  get(): Promise<api.SettingsOut> {
    return this.transport.get("memory/settings");
  }

  update(changes: Partial<Rest<api.SettingsPatch>>): Promise<api.SettingsOut> {
    return this.transport.patch("memory/settings", changes);
  }
}

/** Preferences learned from feedback. */
export class Preferences extends Resource {
  get(): Promise<api.PreferencesOut> {
    return this.transport.get("memory/preferences");
  }

  /** Forget all of them. */
  async clear(options: Undoable = {}): Promise<Operation> {
    const accepted = await this.transport.post<api.AcceptedOut>("memory/preferences/clear", { ...options });
    return new Operation(this.transport, accepted);
  }
}

const PARTIAL = 206;

/** The bytes of a file, from a place in it on. */
export interface Download {
  readonly start: number;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

type PackageFormat = "zip" | "json" | "markdown";

/** Packages of what is remembered. */
export class Exports extends Resource {
  /** Begin to export all there is about the person. */
  everything(format: PackageFormat = "zip"): Promise<Operation> {
    return this.#begin({ scope: "user", format, confirmation: true });
  }

  /** Begin to export some memories. */
  selection(ids: readonly string[], format: PackageFormat = "zip"): Promise<Operation> {
    return this.#begin({ scope: "selection", ids, format });
  }

  /** Return whether a package is ready, its size and digest. */
  get(operationId: string): Promise<api.ExportOut> {
    return this.transport.get(`memory/exports/${operationId}`);
  }

  /**
   * Return the bytes of a ready package as they come, and the place in the file of the first.
   *
   * @param from Go on at `start`, if the package still has this digest; else it begins anew: `start` is 0.
   */
  async download(operationId: string, from?: { start: number; sha256: string }): Promise<Download> {
    const headers = from === undefined ? {} : { Range: `bytes=${from.start}-`, "If-Range": `"${from.sha256}"` };
    const path = `memory/exports/${operationId}/package`;
    const answer = await this.transport.send("GET", path, { streamed: true, headers });
    return { start: from !== undefined && answer.status === PARTIAL ? from.start : 0, body: answer.body };
  }

  async #begin(body: Members): Promise<Operation> {
    return new Operation(this.transport, await this.transport.post<api.AcceptedOut>("memory/export", body));
  }
}

/** How long the server may take to look through a package. */
const CHECK_MILLISECONDS = 600_000;

type PackageType = "application/zip" | "application/json";

/** Packages of this or another memory system. */
export class Imports extends Resource {
  /** Return what an import would bring. */
  preview(content: Uint8Array<ArrayBuffer>, mediaType: PackageType = "application/zip"): Promise<api.ImportPreview> {
    return this.#send(content, mediaType, { dry_run: true });
  }

  /**
   * Begin to import a package. What was forgotten here does not come back.
   *
   * @param restoreForgotten Bring back what went when the person forgot everything.
   * @throws {Conflict} It holds such things, and `restoreForgotten` is off (`import_restores_forgotten`).
   */
  async start(
    content: Uint8Array<ArrayBuffer>,
    mediaType: PackageType = "application/zip",
    { restoreForgotten = false } = {},
  ): Promise<Operation> {
    const query = restoreForgotten ? { restore_forgotten: true } : {};
    return new Operation(this.transport, await this.#send<api.AcceptedOut>(content, mediaType, query));
  }

  async #send<T>(content: Uint8Array<ArrayBuffer>, mediaType: PackageType, query: Members): Promise<T> {
    const headers = { "Content-Type": mediaType };
    const sending = { query, content, headers, milliseconds: CHECK_MILLISECONDS };
    return (await (await this.transport.send("POST", "memory/import", sending)).json()) as T;
  }
}

/** Tokens for one person; for services only. */
export class Tokens extends Resource {
  /** Return a token that is `userId` for at most an hour; without scopes it is good for everything. */
  issue(userId: string, options: Rest<api.TokenIn> = {}): Promise<api.TokenOut> {
    return this.transport.post("tokens", { ...options, user_id: userId });
  }
}
