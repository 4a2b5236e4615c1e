import type { ListLongTermData } from "@/client";

type Query = NonNullable<ListLongTermData["query"]>;

/** What a person narrows their memories down by. A task is named by its key: its name is content. */
export type Filters = Pick<
  Query,
  "content_type" | "scope" | "project_id" | "origin" | "validity" | "task" | "waiting" | "disabled" | "archived"
>;
export type Facet = keyof Filters;

/** What is looked at first: what holds, without wordings that newer ones have replaced. */
export const AT_FIRST: Filters = { validity: "active" };

/** How the list is ordered; equally important ones newest first. */
export type Sort = "newest" | "oldest" | "importance";
export const SORTS: readonly Sort[] = ["newest", "oldest", "importance"];

const ANY = "any";
const SORT = "sort";
const VALUES: { [F in Facet]: readonly string[] | RegExp } = {
  content_type: /^[a-z_]{1,40}$/,
  scope: ["global", "project"],
  project_id: /^[\p{L}\p{N}_.:-]{1,100}$/u,
  origin: ["extracted", "stated", "learned", "imported"],
  validity: ["active", "superseded", "contradicted", ANY],
  task: /^[0-9a-f]{32}$/,
  waiting: ["true", "false"],
  disabled: ["true", "false"],
  archived: ["true", "false"],
};
const FACETS = Object.keys(VALUES) as Facet[];

/** What an address narrows the list down to: where everybody begins, unless it says otherwise. What makes no sense is left out. */
export function filtersIn(address: URLSearchParams): Filters {
  const said = FACETS.flatMap((facet) => {
    const value = address.get(facet);
    const allowed = VALUES[facet];
    if (value === null || !(allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value))) return [];
    return [[facet, value === "true" ? true : value === "false" ? false : value] as const];
  });
  const all = { ...AT_FIRST, ...Object.fromEntries(said) } as Record<Facet, string | boolean>;
  const { validity, ...others } = all;
  return (validity === ANY ? others : { validity, ...others }) as Filters;
}

export const sortIn = (address: URLSearchParams): Sort => SORTS.find((sort) => sort === address.get(SORT)) ?? "newest";

/** What stands behind `?` for a list: nothing where everybody begins. */
export function addressOf(filters: Filters, sort: Sort): string {
  const said = new URLSearchParams();
  for (const facet of FACETS) {
    const value = filters[facet] ?? (facet === "validity" ? ANY : undefined);
    if (value != null && value !== AT_FIRST[facet]) said.set(facet, String(value));
  }
  if (sort !== "newest") said.set(SORT, sort);
  return said.size === 0 ? "" : `?${said.toString()}`;
}

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
