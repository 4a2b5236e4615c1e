import { webcrypto } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { canonical, check, fingerprint } from "./check";
import receipt from "./receipt.sample.json";
import type { ReceiptOut } from "@/client";

const PROVEN = receipt as unknown as ReceiptOut;

beforeEach(() => vi.stubGlobal("crypto", webcrypto)); // jsdom has none of the algorithms
afterEach(() => vi.unstubAllGlobals());

const changed = (change: (copy: ReceiptOut) => void): ReceiptOut => {
  const copy = structuredClone(PROVEN);
  change(copy);
  return copy;
};
const entry = (of: ReceiptOut, place: number) => {
  const found = of.entries[place];
  if (found === undefined) throw new Error("the sample has two entries");
  return found;
};

it("finds a receipt of the server's proven", async () => {
  expect(await check(PROVEN)).toBe("proven");
});

it("finds one without its proof not yet proven", async () => {
  expect(await check(changed((copy) => copy.entries.pop()))).toBe("unproven");
});

it("finds one not yet proven whose erasure began again after a restore", async () => {
  const hex = (data: ArrayBuffer) => Buffer.from(data).toString("hex");
  const pair = (await webcrypto.subtle.generateKey("Ed25519", true, ["sign"])) as webcrypto.CryptoKeyPair;
  const last = entry(PROVEN, 1);
  const body = {
    ...entry(PROVEN, 0).body,
    run: 1,
    public_key: hex(await webcrypto.subtle.exportKey("raw", pair.publicKey)),
  };
  const message = Buffer.concat([Buffer.from(last.hash, "hex"), Buffer.from(canonical(body))]);
  const hash = await webcrypto.subtle.digest("SHA-256", message);
  const signature = await webcrypto.subtle.sign("Ed25519", pair.privateKey, hash);
  const again = { ...last, body, prev_hash: last.hash, hash: hex(hash), signature: hex(signature) };
  expect(await check(changed((copy) => copy.entries.push(again)))).toBe("unproven");
});

it.each([
  ["a changed count", changed((copy) => Object.assign(entry(copy, 1).body, { counts: {} }))],
  ["another receipt's entry", changed((copy) => Object.assign(copy, { receipt_id: "0" }))],
  ["a hash of its own", changed((copy) => Object.assign(entry(copy, 1), { hash: entry(copy, 0).hash }))],
  ["another signature", changed((copy) => Object.assign(entry(copy, 1), { signature: entry(copy, 0).signature }))],
  ["a signature that is none", changed((copy) => Object.assign(entry(copy, 1), { signature: "xyz" }))],
])("finds %s", async (_, forged) => {
  expect(await check(forged)).toBe("damaged");
});

it("says so where nothing can be computed", async () => {
  vi.stubGlobal("crypto", {});
  expect(await check(PROVEN)).toBe("unchecked");
  expect(await fingerprint("00")).toBeNull();
});

it("writes documents in the one way that was hashed", () => {
  expect(canonical({ b: [1, null, true], a: { d: "ü\n", c: "" } })).toBe('{"a":{"c":"","d":"ü\\n"},"b":[1,null,true]}');
});

it("writes a key's fingerprint as the command line does", async () => {
  const key = String(entry(PROVEN, 1).body["public_key"]);
  expect(await fingerprint(key)).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
});
