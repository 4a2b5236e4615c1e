import type { Problem } from "@/client";

/** The server did not answer at all, or not as an API does. */
export class Unreachable extends Error {
  constructor() {
    super("unreachable");
  }
}

/** Whether a failure is the API's own refusal (RFC 9457). */
export function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "code" in error && "status" in error;
}

/** The stable code of a failure; `unreachable` when no answer came. */
export const codeOf = (error: unknown): string => (isProblem(error) ? error.code : "unreachable");
