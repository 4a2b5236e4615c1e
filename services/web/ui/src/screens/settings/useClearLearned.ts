import { clearLearnedPreferences } from "@/client";
import { UNDO_SECONDS, useForgetAtOnce } from "@/shared/forgetting/useForgetAtOnce";
import type { OnceHeaders } from "@/shared/once";

/** Forget what feedback has taught, with a toast that undoes it while that is possible; it says itself what came of it. */
export const useClearLearned = () =>
  useForgetAtOnce({ ask: (_: unknown, headers: OnceHeaders) => clearLearned(headers) });

const clearLearned = async (headers: OnceHeaders) =>
  (await clearLearnedPreferences({ body: { undo_seconds: UNDO_SECONDS }, headers, throwOnError: true })).data;
