import type { EntryOut, ReceiptOut } from "@/client";

/** `unchecked`: this browser cannot compute it. `unproven`: intact, and the erasure is not proven yet. */
export type Verdict = "proven" | "unproven" | "damaged" | "unchecked";

/**
 * Check a receipt's hashes and signatures: hash = SHA-256(hash before ‖ canonical body), signed with Ed25519 (RFC 8032).
 *
 * As `memory-center verify-receipt` does, except for whose key it is: nobody here can say.
 */
export async function check(receipt: ReceiptOut): Promise<Verdict> {
  if (!(await canVerify())) return "unchecked";
  for (const entry of receipt.entries) {
    if (entry.body["receipt"] !== receipt.receipt_id || !(await isIntact(entry))) return "damaged";
  }
  // After a backup was restored, the erasure is repeated: only the last run proves anything.
  const run = Math.max(...receipt.entries.map(({ body }) => Number(body["run"])));
  const isProven = receipt.entries.some(({ body }) => body["kind"] === "verified" && body["run"] === run);
  return isProven ? "proven" : "unproven";
}

/** What people compare to recognise a public key: the start of its SHA-256, in groups; `null` where none can be had. */
export async function fingerprint(publicKey: string): Promise<string | null> {
  const key = bytes(publicKey);
  // Browsers offer this on trustworthy origins only, whatever the type says.
  if (key === null || (crypto.subtle as SubtleCrypto | undefined) === undefined) return null;
  return (
    hex(await sha256(key))
      .slice(0, 32)
      .match(/.{4}/g)
      ?.join(" ") ?? null
  );
}

/** The one way to write a document (RFC 8785, for what bodies hold: objects, arrays, strings, integers, booleans, null). */
export function canonical(document: unknown): string {
  if (Array.isArray(document)) return `[${document.map(canonical).join()}]`;
  if (typeof document !== "object" || document === null) return JSON.stringify(document);
  const members = Object.entries(document).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`).join()}}`;
}

async function isIntact(entry: EntryOut): Promise<boolean> {
  const before = bytes(entry.prev_hash);
  const signature = bytes(entry.signature);
  const key = bytes(String(entry.body["public_key"]));
  if (before === null || signature === null || key === null) return false;
  const hash = await sha256(new Uint8Array([...before, ...new TextEncoder().encode(canonical(entry.body))]));
  return hex(hash) === entry.hash && (await isSigned(hash, signature, key));
}

async function isSigned(message: Bytes, signature: Bytes, key: Bytes): Promise<boolean> {
  try {
    return await crypto.subtle.verify(ED25519, await imported(key), signature, message);
  } catch {
    return false; // a malformed key signs nothing
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

const ED25519 = "Ed25519";

const imported = (key: Bytes) => crypto.subtle.importKey("raw", key, ED25519, false, ["verify"]);

/** The base point of the curve: a key every implementation takes. */
const SOME_KEY = `58${"66".repeat(31)}`;

/** Whether this page may compute signatures: on a trustworthy origin, in a browser that knows the algorithm. */
async function canVerify(): Promise<boolean> {
  const key = bytes(SOME_KEY);
  try {
    return key !== null && (await imported(key)).type === "public";
  } catch {
    return false;
  }
}

const sha256 = async (message: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest("SHA-256", message));

const hex = (data: Bytes): string => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

const bytes = (text: string): Bytes | null =>
  /^([0-9a-f]{2})*$/.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : null;
