import { type QueryClient, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/*
 * What is kept for this visit, beside the answers of the server: it outlives the screen that made it, and is gone with
 * everything else when its person signs out. Nothing of it is written to the disk.
 */

const FOR_THE_VISIT = { staleTime: Infinity, gcTime: Infinity } as const;

/** What is kept under a name; nothing while nothing is. */
export function useKept<Value>(name: readonly string[]): Value | null | undefined {
  return useQuery<Value | null>({ queryKey: name, queryFn: skipToken, ...FOR_THE_VISIT }).data;
}

/** Keep something under a name; `null` for nothing. */
export function keep(queries: QueryClient, name: readonly string[], value: unknown): void {
  queries.setQueryDefaults(name, FOR_THE_VISIT);
  queries.setQueryData(name, value);
}

const LAST_OPENED = ["chat", "opened"] as const;

/** The conversation that was last looked at in this visit, and how to say which it is. */
export function useLastOpened(): [string | undefined, (id: string | undefined) => void] {
  const queries = useQueryClient();
  return [
    useKept<string>(LAST_OPENED) ?? undefined,
    useCallback((id) => keep(queries, LAST_OPENED, id ?? null), [queries]),
  ];
}

const DRAFTS = ["chat", "draft"] as const;

/** Where what is typed in a conversation, and not sent, is kept. */
export const draftKey = (conversation: string) => [...DRAFTS, conversation] as const;

/** What is typed and not sent, by the name it is kept under. */
export type Drafts = readonly (readonly [readonly string[], string])[];

const EXCHANGES = ["chat", "exchange"] as const;

/** Where what is being said in a conversation is kept. */
export const exchangeKey = (conversation: string) => [...EXCHANGES, conversation] as const;

/** Everything that is typed and not sent, or on its way and not recorded. */
export function draftsOf(queries: QueryClient): Drafts {
  const found = new Map<string, string[]>();
  const note = (place: unknown, words: string) => {
    if (words !== "") found.set(String(place), [...(found.get(String(place)) ?? []), words]);
  };
  for (const [[, , place], said] of queries.getQueriesData<{ step: string; words: string }>({ queryKey: EXCHANGES })) {
    if (said?.step === "saying") note(place, said.words);
  }
  for (const [[, , place], words] of queries.getQueriesData<string>({ queryKey: DRAFTS })) note(place, words ?? "");
  return [...found].map(([place, words]) => [draftKey(place), words.join("\n")] as const);
}

/** Whether something typed and not sent would be lost with this page. */
export const hasUnsent = (queries: QueryClient): boolean => draftsOf(queries).length > 0;
