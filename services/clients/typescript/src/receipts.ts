// Checks the proof of an erasure offline (X-03). The form of entries is in docs/schemas of the project.

import { ReceiptInvalid } from "./errors.ts";

interface Entry {
  body: Record<string, unknown>;
  prev_hash: string;
  hash: string;
  signature: string;
}

/**
 * Return if a receipt, as `GET /api/v1/receipts/{id}` answered it, proves that something was erased.
 *
 * Each entry's hash is SHA-256 of the hash before it and of its body in canonical JSON (RFC 8785), and is signed
 * (Ed25519).
 *
 * @param publicKeys Whose signature is expected, in hexadecimal.
 * @throws {ReceiptInvalid} It was altered, signed with another key, or the erasure is not proven yet.
 */
export async function verify(receipt: unknown, publicKeys: readonly string[]): Promise<void> {
  let proven: boolean;
  try {
    const { receipt_id, entries } = receipt as { receipt_id: string; entries: Entry[] };
    for (const entry of entries) await check(entry, receipt_id, publicKeys);
    // After a backup was restored, the erasure is repeated: only the last run proves anything.
    const run = Math.max(...entries.map(({ body }) => Number(body["run"])));
    proven = entries.some(({ body }) => body["kind"] === "verified" && body["run"] === run);
  } catch (problem) {
    if (problem instanceof ReceiptInvalid) throw problem;
    throw new ReceiptInvalid("this is not a receipt");
  }
  if (!proven) throw new ReceiptInvalid("the erasure is not proven yet");
}

async function check({ body, prev_hash, hash, signature }: Entry, id: string, keys: readonly string[]): Promise<void> {
  const text = new TextEncoder().encode(canonical(body));
  const sealed = new Uint8Array(await crypto.subtle.digest("SHA-256", joined(bytes(prev_hash), text)));
  if (hex(sealed) !== hash) throw new ReceiptInvalid("the hash does not fit the entry");
  if (body["receipt"] !== id) throw new ReceiptInvalid("an entry belongs to another receipt");
  const publicKey = String(body["public_key"]);
  if (!keys.includes(publicKey)) throw new ReceiptInvalid("it was signed with another key than the expected one");
  const key = await crypto.subtle.importKey("raw", bytes(publicKey), "Ed25519", false, ["verify"]);
  if (!(await crypto.subtle.verify("Ed25519", key, bytes(signature), sealed)))
    throw new ReceiptInvalid("the signature does not fit the entry");
}

/** Return the canonical JSON of what bodies hold: objects with ASCII names, arrays, strings, integers, booleans, null. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new ReceiptInvalid("this is not a receipt");
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

const hex = (data: Uint8Array): string => [...data].map((one) => one.toString(16).padStart(2, "0")).join("");

function joined(one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
