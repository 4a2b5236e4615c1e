import type { TFunction } from "i18next";

type Counts = Readonly<Record<string, number>>;

/** The kinds of records of a package, in the order they are told, in words people know. */
const KINDS: readonly { records: readonly string[]; words: (t: TFunction, count: number) => string }[] = [
  { records: ["conversation"], words: (t, count) => t("forgetting:kinds.conversations", { count }) },
  { records: ["message"], words: (t, count) => t("forgetting:kinds.messages", { count }) },
  { records: ["memory"], words: (t, count) => t("forgetting:kinds.memories", { count }) },
  { records: ["trait"], words: (t, count) => t("forgetting:kinds.traits", { count }) },
  { records: ["observation"], words: (t, count) => t("data:packed.observations", { count }) },
  { records: ["episode"], words: (t, count) => t("forgetting:kinds.episodes", { count }) },
  { records: ["summary"], words: (t, count) => t("forgetting:kinds.summaries", { count }) },
  { records: ["feedback", "preference_signal"], words: (t, count) => t("forgetting:kinds.feedback", { count }) },
  { records: ["receipt"], words: (t, count) => t("data:packed.receipts", { count }) },
  { records: ["event", "edge", "reflection"], words: (t, count) => t("data:packed.history", { count }) },
  { records: ["erased_conversation", "erased_message"], words: (t, count) => t("data:packed.marks", { count }) },
];

/** No records people would count: settings are one for each person; the rest is progress, or told in other words. */
const NOT_COUNTED: readonly string[] = [
  "settings",
  "bytes",
  "bytes_read",
  "present",
  "erased",
  "switched_off",
  "withheld",
];

/** Counts of records in words; kinds that a newer server may have are summed up. */
export function packedIn(counts: Counts, t: TFunction): string[] {
  const sum = (records: readonly string[]) => records.reduce((so_far, record) => so_far + (counts[record] ?? 0), 0);
  const known = new Set([...NOT_COUNTED, ...KINDS.flatMap(({ records }) => records)]);
  const others = sum(Object.keys(counts).filter((record) => !known.has(record)));
  const told = KINDS.flatMap(({ records, words }) => (sum(records) > 0 ? [words(t, sum(records))] : []));
  return others > 0 ? [...told, t("data:packed.others", { count: others })] : told;
}
