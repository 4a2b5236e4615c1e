import type { ContextOut, GivenOut, LeftOutOut } from "@/client";

/** A part of the prompt under one heading of its own. */
export type Part = "stable" | "summary" | "retrieved" | "window";

export interface Section {
  part: Part;
  items: GivenOut[];
}

const partOf = (item: GivenOut): Part => {
  if (item.layer === "stable") return "stable";
  return item.kind === "summary" ? "summary" : "retrieved";
};

/** The parts of a context that hold something, in the order in which the assistant reads them. */
export function sectionsOf({ items, window }: Pick<ContextOut, "items" | "window">): Section[] {
  const sections: Section[] = [];
  for (const item of items) {
    const part = partOf(item);
    const last = sections.at(-1);
    if (last?.part === part) last.items.push(item);
    else sections.push({ part, items: [item] });
  }
  return window.length > 0 ? [...sections, { part: "window", items: window }] : sections;
}

type WhyNot = LeftOutOut["reason_code"];

/** What is left out, by reason; the reason that holds back most comes first. */
export function leftOutByReason(leftOut: readonly LeftOutOut[]): [WhyNot, LeftOutOut[]][] {
  const groups = new Map<WhyNot, LeftOutOut[]>();
  for (const one of leftOut) groups.set(one.reason_code, [...(groups.get(one.reason_code) ?? []), one]);
  return [...groups].sort(([, left], [, right]) => right.length - left.length);
}

/** The parts of a score that say something, the one that says most first, as shares of the largest. */
export function nearness(parts: Record<string, number>): { name: string; value: number; share: number }[] {
  const said = Object.entries(parts).filter(([, value]) => value > 0);
  const largest = Math.max(...said.map(([, value]) => value));
  return said
    .sort(([, left], [, right]) => right - left)
    .map(([name, value]) => ({ name, value, share: value / largest }));
}

/** Why the order is fixed although a question was asked, if it is; `undefined` where nothing went wrong. */
export function trouble({ diagnostics }: Pick<ContextOut, "diagnostics">): Trouble | undefined {
  return TROUBLES.find((reason) => diagnostics.reasons.includes(reason));
}

const TROUBLES = ["milvus_unavailable", "embedder_failed", "store_misconfigured"] as const;
type Trouble = (typeof TROUBLES)[number];
