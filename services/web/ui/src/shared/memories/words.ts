import { useMemo } from "react";
import { useTranslation } from "react-i18next";

import type { MemoryOut } from "@/client";

const TYPES = [
  "preference",
  "fact",
  "constraint",
  "note",
  "episodic",
  "document",
  "summary",
  "task_outcome",
  "tool_experience",
] as const;
type KnownType = (typeof TYPES)[number];

/** How something came to be remembered, as a person would tell it. */
export type Learned = "written" | "asked" | "noticed" | "feedback" | "imported";

const isKnown = (type: string): type is KnownType => (TYPES as readonly string[]).includes(type);

/** The kinds a person chooses from when they write something down themselves. */
export const WRITABLE_TYPES = ["preference", "fact", "constraint", "note"] as const;

/** How a memory came to be: by its method where that says more than its origin. */
export function learnedBy({ origin, method }: Pick<MemoryOut, "origin" | "method">): Learned {
  if (method === "person") return "written";
  if (method === "feedback" || origin === "learned") return "feedback";
  if (method === "import" || origin === "imported") return "imported";
  return origin === "stated" ? "asked" : "noticed";
}

/** What stands in the way of a memory's use, most telling first; `active` when nothing does. */
export function standingOf({ validity, disabled, archived }: Pick<MemoryOut, "validity" | "disabled" | "archived">) {
  if (validity === "superseded") return "superseded";
  if (disabled) return "paused";
  if (archived) return "archived";
  return validity === "contradicted" ? "contradicted" : "active";
}

/** Whether it waits for its person to look at it: nobody said outright that it is to be remembered. */
export const isNew = (
  memory: Pick<MemoryOut, "origin" | "confirmed" | "validity" | "disabled" | "archived">,
): boolean =>
  memory.origin !== "stated" && !memory.confirmed && ["active", "contradicted"].includes(standingOf(memory));

/** The properties of memories in words, in the language that is shown. */
export function useMemoryWords() {
  const { t } = useTranslation("memories");
  return useMemo(() => {
    /** "Preference"; a type nobody knows yet is shown as it is named. */
    const type = (name: string): string => (isKnown(name) ? t(`type.${name}`) : name.replaceAll("_", " "));
    /** "everywhere", or the project it is for. */
    const scope = ({ project_id: project }: Pick<MemoryOut, "project_id">): string =>
      project === null ? t("scope.global") : t("scope.project", { project });
    /** "you wrote it", "noticed in 3 messages". */
    const learned = (memory: Pick<MemoryOut, "origin" | "method" | "sources">): string =>
      t(`learned.${learnedBy(memory)}`, { count: Math.max(memory.sources.length, 1) });
    /** "Replaced by a newer wording", "Paused"…; nothing for what simply holds. */
    const standing = (memory: Pick<MemoryOut, "validity" | "disabled" | "archived">): string | undefined => {
      const name = standingOf(memory);
      return name === "active" ? undefined : t(`standing.${name}`);
    };
    /** What stands below the sentence: "Preference · everywhere · noticed in 3 messages". */
    const line = (memory: MemoryOut): string =>
      [type(memory.content_type), scope(memory), learned(memory)].join(t("separator"));
    return { type, scope, learned, standing, line };
  }, [t]);
}
