import type { ListLongTermData } from "@/client";

type Query = NonNullable<ListLongTermData["query"]>;

/** What a person narrows their memories down by. A task is named by its key: its name is content. */
export type Filters = Pick<
  Query,
  "content_type" | "scope" | "project_id" | "origin" | "validity" | "task" | "disabled" | "archived"
>;
export type Facet = keyof Filters;

/** What is looked at first: what holds, without wordings that newer ones have replaced. */
export const AT_FIRST: Filters = { validity: "active" };

/** The filters with one facet set, or taken away when it had that value already. */
export function toggled<F extends Facet>(filters: Filters, facet: F, value: Filters[F]): Filters {
  const { [facet]: before, ...others } = filters;
  return before === value ? others : { ...filters, [facet]: value };
}

export const without = (filters: Filters, facet: Facet): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => name !== facet));

/** What a person chose themselves, beside where everybody begins. */
export const chosenOf = (filters: Filters): Facet[] =>
  (Object.keys(filters) as Facet[]).filter((facet) => filters[facet] !== AT_FIRST[facet]);
