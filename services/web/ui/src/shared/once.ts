import { useRef } from "react";

/** A key nobody else has. Works without a secure context, where `crypto.randomUUID` is missing. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Sent with every attempt at a request: the server does it once, and repeats an answer that was lost. */
export type OnceHeaders = Record<"Idempotency-Key", string>;

/** Returns the Idempotency-Key of a request: the same one while the same request is tried again. */
export function useOnceKey(): (request: unknown) => string {
  const last = useRef<{ request: string; key: string }>(undefined);
  return (request) => {
    const said = JSON.stringify(request);
    if (last.current?.request !== said) last.current = { request: said, key: randomKey() };
    return last.current.key;
  };
}
