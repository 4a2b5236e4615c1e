import type { TFunction } from "i18next";

import type { Facet, Filters } from "./filters";
import type { OverviewOut } from "@/client";
import type { useMemoryWords } from "@/shared/memories/words";

/** One value a facet can be narrowed down to, and how many memories have it. */
export interface Choice {
  facet: Facet;
  value: NonNullable<Filters[Facet]>;
  label: string;
  count: number;
}

export interface Group {
  name: "standing" | "type" | "origin" | "scope" | "project" | "task";
  choices: Choice[];
}

type Words = ReturnType<typeof useMemoryWords>;
type Counted = readonly { value: string; count: number }[];

const countOf = (counted: Counted, value: string): number => counted.find((one) => one.value === value)?.count ?? 0;

/** Everything a person can narrow their memories down by, in words; a facet with nothing to choose is left out. */
export function groupsOf(overview: OverviewOut, chosen: Filters, words: Words, t: TFunction<"memories">): Group[] {
  const groups: Group[] = [
    {
      name: "standing",
      choices: [
        ...(["active", "contradicted", "superseded"] as const).map((value) => ({
          facet: "validity" as const,
          value,
          label: t(`facet.validity.${value}`),
          count: countOf(overview.validity, value),
        })),
        { facet: "waiting", value: true, label: t("facet.waiting"), count: overview.waiting },
        { facet: "disabled", value: true, label: t("facet.disabled"), count: overview.disabled },
        { facet: "archived", value: true, label: t("facet.archived"), count: overview.archived },
      ],
    },
    { name: "type", choices: choicesOf("content_type", overview.content_type, words.type) },
    {
      name: "origin",
      choices: (["stated", "extracted", "learned", "imported"] as const).map((value) => ({
        facet: "origin",
        value,
        label: t(`facet.origin.${value}`),
        count: countOf(overview.origin, value),
      })),
    },
    {
      name: "scope",
      choices: (["global", "project"] as const).map((value) => ({
        facet: "scope",
        value,
        label: t(`facet.scope.${value}`),
        count: countOf(overview.scope, value),
      })),
    },
    { name: "project", choices: choicesOf("project_id", overview.project_id, (value) => value) },
    {
      name: "task",
      choices: overview.task.map(({ key, value, count }) => ({ facet: "task", value: key, label: value, count })),
    },
  ];
  return groups
    .map(({ name, choices }) => ({
      name,
      choices: choices.filter(({ count, facet, value }) => count > 0 || chosen[facet] === value),
    }))
    .filter(
      ({ name, choices }) => choices.length > 1 || (choices.length === 1 && name !== "scope" && name !== "origin"),
    );
}

const choicesOf = (
  facet: "content_type" | "project_id",
  counted: Counted,
  label: (value: string) => string,
): Choice[] => counted.map(({ value, count }) => ({ facet, value, label: label(value), count }));
