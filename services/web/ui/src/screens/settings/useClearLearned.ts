import { clearLearnedPreferences } from "@/client";
import { UNDO_SECONDS, useForgetAtOnce } from "@/shared/forgetting/useForgetAtOnce";

/** Forget what feedback has taught, with a toast that undoes it while that is possible; it says itself what came of it. */
export const useClearLearned = () => useForgetAtOnce({ ask: clearLearned });

const clearLearned = async () =>
  (await clearLearnedPreferences({ body: { undo_seconds: UNDO_SECONDS }, throwOnError: true })).data;
