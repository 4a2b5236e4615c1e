import type { TFunction } from "i18next";

import type { TraitEventOut, TraitOut } from "@/client";

type Stage = TraitOut["trait_stage"];

/** One thing that happened to a trait on a day, as often as it did. */
export interface Change {
  words: string;
  count: number;
}

export interface Day {
  /** When the first of it happened. */
  at: string;
  changes: Change[];
}

/** What happened to a trait, day by day, oldest first; the same thing again on a day is counted. */
export function grewBy(events: readonly TraitEventOut[], t: TFunction<"traits">): Day[] {
  const days: { key: string; at: string; counts: Map<string, { event: TraitEventOut; count: number }> }[] = [];
  const ordered = [...events].sort((left, right) => Date.parse(left.at) - Date.parse(right.at));
  for (const event of ordered) {
    const key = new Date(event.at).toDateString();
    let day = days.at(-1);
    if (day?.key !== key) days.push((day = { key, at: event.at, counts: new Map() }));
    const same = changeWords(event, 1, t);
    day.counts.set(same, { event, count: (day.counts.get(same)?.count ?? 0) + timesOf(event) });
  }
  return days.map(({ at, counts }) => ({
    at,
    changes: [...counts.values()].map(({ event, count }) => ({ words: changeWords(event, count, t), count })),
  }));
}

/** How often it happened in one event. */
function timesOf({ type, data }: TraitEventOut): number {
  const pieces = data["pieces"];
  return type === "TraitContradicted" && typeof pieces === "number" ? pieces : 1;
}

const STAGES: readonly Stage[] = ["trend", "candidate", "emerging", "established", "core", "dissolved"];
const CONTEXTS = ["work", "personal", "social", "learning", "general"] as const;

/** One event in words, so many times. */
function changeWords({ type, data }: TraitEventOut, count: number, t: TFunction<"traits">): string {
  const stage = STAGES.find((one) => one === data["stage"]);
  const context = CONTEXTS.find((one) => one === data["context"]);
  switch (type) {
    case "TraitObserved":
      return t("grew.observed");
    case "TraitReinforced":
      return t("grew.reinforced", { count });
    case "TraitContradicted":
      return t("grew.contradicted", { count });
    case "TraitPromoted":
      return stage === undefined ? t("grew.surer") : t("grew.promoted", { stage: t(`stage.${stage}`) });
    case "TraitDecayed":
      return stage === undefined ? t("grew.lessSure") : t("grew.decayed", { stage: t(`stage.${stage}`) });
    case "TraitRevised":
      return t("grew.revised");
    case "TraitSplit":
      return t("grew.split");
    case "TraitDissolved":
      return t("grew.dissolved");
    case "TraitRecalled":
      return t("grew.recalled");
    case "TraitConfirmed":
      return data["confirmed"] === false ? t("grew.unconfirmed") : t("grew.confirmed");
    case "TraitConfined":
      return context === undefined ? t("grew.anywhere") : t("grew.confined", { where: t(`context.${context}`) });
    case "TraitEdited":
      return t("grew.edited");
    default:
      return t("grew.other");
  }
}
