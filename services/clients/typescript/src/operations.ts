// What goes on after a request was accepted: an erasure, an export, an import.

import { NotFound, OperationFailed, TimedOut } from "./errors.ts";
import type { AcceptedOut, OperationOut, ReceiptOut } from "./generated/types.gen.ts";
import { verify } from "./receipts.ts";
import { Pages, sleep, type Transport } from "./transport.ts";

const LOOK_MILLISECONDS = 100;
const LOOK_MAX_MILLISECONDS = 2000;
const WAIT_MILLISECONDS = 60_000;

/** An operation that was accepted. After a forget, no answer contains its items, whether or not you wait. */
export class Operation {
  readonly id: string;
  readonly receiptId: string | undefined;
  readonly #transport: Transport;

  constructor(transport: Transport, accepted: Pick<AcceptedOut, "op_id"> & Partial<AcceptedOut>) {
    this.#transport = transport;
    this.id = accepted.op_id;
    this.receiptId = accepted.receipt_id ?? undefined;
  }

  /** Return how far it is. */
  state(): Promise<OperationOut> {
    return this.#transport.get(`memory/ops/${this.id}`);
  }

  /**
   * Return when it has ended.
   *
   * @param until `erased`: from every database, and searched for there. `purged`: its leftover bytes on disk are
   *   overwritten too, which takes up to a quarter of an hour.
   * @throws {OperationFailed} It failed or was undone.
   * @throws {TimedOut} It has not ended in time; it goes on.
   */
  async wait({ timeout = WAIT_MILLISECONDS, until = "erased" as "erased" | "purged" } = {}): Promise<void> {
    const deadline = Date.now() + timeout;
    for (let pause = LOOK_MILLISECONDS; ; pause = Math.min(LOOK_MAX_MILLISECONDS, pause * 1.3)) {
      const { status, purged_at } = await this.#stateOrReceipt();
      if (status === "failed" || status === "cancelled") throw new OperationFailed(status);
      if (status === "succeeded" && (until === "erased" || purged_at)) return;
      if (Date.now() + pause > deadline) throw new TimedOut("the operation goes on");
      await sleep(pause);
    }
  }

  /**
   * Undo a forget in its undo window, or give up an export.
   *
   * @throws {Conflict} It is too late.
   */
  async cancel(): Promise<void> {
    await this.#transport.post(`memory/ops/${this.id}/cancel`);
  }

  /**
   * Return the proof of a forget.
   *
   * @throws {TypeError} It is no forget.
   */
  async receipt(): Promise<ReceiptOut> {
    if (this.receiptId === undefined) throw new TypeError("this operation has no receipt");
    return this.#transport.get<ReceiptOut>(`receipts/${this.receiptId}`);
  }

  async #stateOrReceipt(): Promise<Pick<OperationOut, "status"> & { purged_at?: string | null }> {
    try {
      return await this.state();
    } catch (problem) {
      if (!(problem instanceof NotFound) || this.receiptId === undefined) throw problem;
      return await this.receipt(); // the account was closed: its operations are nobody's any more
    }
  }
}

export class Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Return all operations, newest first. */
  list(): Pages<OperationOut> {
    return new Pages(this.#transport, "memory/ops");
  }

  get(operationId: string): Promise<OperationOut> {
    return this.#transport.get(`memory/ops/${operationId}`);
  }

  async cancel(operationId: string): Promise<void> {
    await this.#transport.post(`memory/ops/${operationId}/cancel`);
  }

  /** Try the failed steps of an operation again. */
  async retry(operationId: string): Promise<void> {
    await this.#transport.post(`memory/ops/${operationId}/retry`);
  }
}

/** Proofs of erasure; they need no credentials and outlive the account. */
export class Receipts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(receiptId: string): Promise<ReceiptOut> {
    return this.#transport.get(`receipts/${receiptId}`);
  }

  /**
   * Return a receipt that proves an erasure.
   *
   * @param publicKeys Whose signature is expected, in hexadecimal; `memory-center receipt-key` prints it.
   * @throws {ReceiptInvalid} It does not, or was signed by somebody else.
   */
  async verify(receiptId: string, publicKeys: readonly string[]): Promise<ReceiptOut> {
    const receipt = await this.get(receiptId);
    await verify(receipt, publicKeys);
    return receipt;
  }
}
