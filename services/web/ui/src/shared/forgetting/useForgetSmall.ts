import { UNDO_SECONDS, useForgetAtOnce } from "./useForgetAtOnce";
import { deleteLongTerm } from "@/client";
import type { OnceHeaders } from "@/shared/once";

/**
 * Forget one memory at once, with a toast that undoes it while that is possible.
 *
 * Returns the mutation: `mutate(memoryId)`; it says itself what came of it. `onAccepted` is told at once, before anything
 * is read again: the memory is hidden from then on.
 */
export const useForgetSmall = (onAccepted?: (memoryId: string, operationId: string) => void) =>
  useForgetAtOnce({ ask: forgetMemory, onAccepted });

async function forgetMemory(memoryId: string, headers: OnceHeaders) {
  const path = { memory_id: memoryId };
  return (await deleteLongTerm({ path, query: { undo_seconds: UNDO_SECONDS }, headers, throwOnError: true })).data;
}
