import type { MemoryIn, MemoryOut, MemoryPatch } from "@/client";

/** What a person fills in about a memory. */
export interface MemoryFields {
  content: string;
  content_type: string;
  /** Empty: it holds everywhere. */
  project: string;
  inProject: boolean;
  weight: Weight;
  taboo: boolean;
}

export const WEIGHTS = ["minor", "normal", "important", "vital"] as const;
export type Weight = (typeof WEIGHTS)[number];

/** The number each word stands for; above 7 a memory is never archived for having been quiet. */
const IMPORTANCE: Record<Weight, number> = { minor: 3, normal: 5, important: 8, vital: 10 };

/** The word for an importance of 1…10. */
export function weightOf(importance: number): Weight {
  if (importance <= 3) return "minor";
  if (importance <= 7) return "normal";
  return importance <= 9 ? "important" : "vital";
}

export const CONTENT_MAX = 2_000;
const PROJECT = /^[\p{L}\p{M}\p{N}_.:-]{1,100}$/u;

export const EMPTY: MemoryFields = {
  content: "",
  content_type: "note",
  project: "",
  inProject: false,
  weight: "normal",
  taboo: false,
};

export const fieldsOf = (memory: MemoryOut): MemoryFields => ({
  content: memory.content,
  content_type: memory.content_type,
  project: memory.project_id ?? "",
  inProject: memory.project_id !== null,
  weight: weightOf(memory.importance),
  taboo: memory.taboo,
});

/** What is wrong with where it holds. */
export const faultOfProject = ({ inProject, project }: Pick<MemoryFields, "inProject" | "project">) =>
  !inProject || PROJECT.test(project) ? undefined : project === "" ? ("empty" as const) : ("characters" as const);

/** What is wrong with what was filled in, by field; nothing when it can be saved. */
export function faultsOf({
  content,
  ...place
}: MemoryFields): Partial<Record<"content" | "project", "empty" | "long" | "characters">> {
  const fault = faultOfProject(place);
  return {
    ...(content.trim() === "" ? { content: "empty" as const } : {}),
    ...([...content].length > CONTENT_MAX ? { content: "long" as const } : {}),
    ...(fault === undefined ? {} : { project: fault }),
  };
}

export const memoryOf = (fields: MemoryFields): MemoryIn => ({
  content: fields.content.trim(),
  content_type: fields.content_type,
  importance: IMPORTANCE[fields.weight],
  taboo: fields.taboo,
  ...(fields.inProject ? { scope: "project", project_id: fields.project } : { scope: "global" }),
});

/** Only what is different: an importance is left as it is as long as its word is. */
export function changesOf(before: MemoryOut, fields: MemoryFields): MemoryPatch {
  const old = fieldsOf(before);
  const content = fields.content.trim();
  const moved = fields.inProject !== old.inProject || (fields.inProject && fields.project !== old.project);
  return {
    ...(content === old.content.trim() ? {} : { content }),
    ...(fields.content_type === old.content_type ? {} : { content_type: fields.content_type }),
    ...(fields.weight === old.weight ? {} : { importance: IMPORTANCE[fields.weight] }),
    ...(fields.taboo === old.taboo ? {} : { taboo: fields.taboo }),
    ...(!moved ? {} : fields.inProject ? { scope: "project", project_id: fields.project } : { scope: "global" }),
  };
}
