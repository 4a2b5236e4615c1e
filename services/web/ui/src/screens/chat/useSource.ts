import { skipToken, useQuery } from "@tanstack/react-query";

import { type EpisodeOut, listEpisodes, type MemoryOut, type SummaryOut } from "@/client";
import { getLongTermOptions, getSummaryOptions } from "@/client/@tanstack/react-query.gen";
import { nextCursor } from "@/shared/pages";
import { isProblem } from "@/shared/problems";

/** What an answer cited, as it is now; `off` if it may be the summary and those are switched off, else `gone`. */
export type Cited =
  | { kind: "memory"; memory: MemoryOut }
  | { kind: "episode"; episode: EpisodeOut }
  | { kind: "summary"; summary: SummaryOut }
  | { kind: "off" }
  | { kind: "gone" };

/**
 * Look up what an answer cites: a memory, else a moment or the summary of its conversation. It is asked for anew, never
 * kept with the answer: what was forgotten must not be shown again.
 */
export function useSource(id: string, conversation: string): { cited: Cited | undefined; error: unknown } {
  const memory = useQuery({ ...getLongTermOptions({ path: { memory_id: id } }), retry: false });
  const noMemory = isProblem(memory.error) && memory.error.status === 404;
  const query = { conversation_id: conversation };
  const episode = useQuery({
    queryKey: [{ _id: "listEpisodes", query, find: id }],
    queryFn: noMemory ? ({ signal }) => findEpisode(conversation, id, signal) : skipToken,
    retry: false,
  });
  const summary = useQuery({ ...getSummaryOptions({ query }), enabled: noMemory, retry: false });

  if (memory.data !== undefined && !noMemory) return { cited: { kind: "memory", memory: memory.data }, error: null };
  if (memory.error !== null && !noMemory) return { cited: undefined, error: memory.error };
  if (episode.data != null) return { cited: { kind: "episode", episode: episode.data }, error: null };
  if (summary.data?.id === id) return { cited: { kind: "summary", summary: summary.data }, error: null };
  if (episode.isPending || summary.isPending) return { cited: undefined, error: null };
  const error = [episode.error, summary.error].find((one) => one !== null && !(isProblem(one) && one.status === 404));
  if (error != null) return { cited: undefined, error };
  return { cited: { kind: summary.data?.status === "off" ? "off" : "gone" }, error: null };
}

/** The moment with this id among all of a conversation's, page by page; null when it is not there. */
async function findEpisode(conversation: string, id: string, signal: AbortSignal): Promise<EpisodeOut | null> {
  let cursor: string | undefined;
  do {
    const query = { conversation_id: conversation, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const { data, response } = await listEpisodes({ query, signal, throwOnError: true });
    const found = data.find((one) => one.id === id);
    if (found !== undefined) return found;
    cursor = nextCursor(response.headers.get("link"));
  } while (cursor !== undefined);
  return null;
}
