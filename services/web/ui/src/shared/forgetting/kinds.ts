import type { TFunction } from "i18next";

import type { DryRunOut } from "@/client";

/** The kinds of things people know, in the order they are told, with what each is called among the records. */
const KINDS: readonly { table: string; words: (t: TFunction, count: number) => string }[] = [
  { table: "conversations", words: (t, count) => t("forgetting:kinds.conversations", { count }) },
  { table: "messages", words: (t, count) => t("forgetting:kinds.messages", { count }) },
  { table: "memories", words: (t, count) => t("forgetting:kinds.memories", { count }) },
  { table: "traits", words: (t, count) => t("forgetting:kinds.traits", { count }) },
  { table: "episodes", words: (t, count) => t("forgetting:kinds.episodes", { count }) },
  { table: "summaries", words: (t, count) => t("forgetting:kinds.summaries", { count }) },
  { table: "feedback", words: (t, count) => t("forgetting:kinds.feedback", { count }) },
];

/** What goes, as counted things in words; what people do not know of is not among them. */
export function kindsIn(counts: DryRunOut["counts"], t: TFunction): string[] {
  const records = counts["postgres"] ?? {};
  return KINDS.flatMap(({ table, words }) => {
    // A signal is a part of some feedback, and goes alone when only what was learned is forgotten.
    const count = records[table] ?? (table === "feedback" ? records["preference_signals"] : undefined) ?? 0;
    return count === 0 ? [] : [words(t, count)];
  });
}

const COPIES: readonly { store: string; words: (t: TFunction, count: number) => string }[] = [
  { store: "milvus", words: (t, count) => t("forgetting:copies.milvus", { count }) },
  { store: "mem0", words: (t, count) => t("forgetting:copies.mem0", { count }) },
];

/** Where copies of it go too, in words. */
export function copiesIn(counts: DryRunOut["counts"], t: TFunction): string[] {
  return COPIES.flatMap(({ store, words }) => {
    const count = counts[store]?.["keys"] ?? 0;
    return count === 0 ? [] : [words(t, count)];
  });
}
