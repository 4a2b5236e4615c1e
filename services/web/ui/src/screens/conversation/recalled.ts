import type { ContextOut, EpisodeOut } from "@/client";
import { useMessages } from "@/shared/messages";

/** What becomes of a moment for a question, and why. */
export interface Fate {
  given: boolean;
  /** How near it came to the question, between 0 and 1 as a rule; `null` where that was not asked. */
  nearness: number | null;
  reason: string;
}

/** What becomes of each moment, by id. */
export function fatesOf(context: ContextOut | undefined): ReadonlyMap<string, Fate> {
  const isMoment = ({ kind }: { kind: string }) => kind === "episode";
  const given = (context?.items ?? []).filter(isMoment);
  const leftOut = (context?.left_out ?? []).filter(isMoment);
  return new Map([
    ...leftOut.map(({ id, reason }): [string, Fate] => [id, { given: false, nearness: null, reason }]),
    ...given.map(({ id, score, reason }): [string, Fate] => [
      id,
      { given: true, nearness: score?.total ?? null, reason },
    ]),
  ]);
}

/** The given ones first, the nearest foremost; then all others as they were. */
export function byFate<Item extends { id: string }>(items: readonly Item[], fates: ReadonlyMap<string, Fate>): Item[] {
  const rank = ({ id }: Item): number => {
    const fate = fates.get(id);
    return fate?.given === true ? 1 + (fate.nearness ?? 0) : 0;
  };
  return items.toSorted((one, other) => rank(other) - rank(one));
}

/**
 * What its person said last in a conversation, and whether that is still being read: as the moment made of it has it,
 * where passwords are left out.
 */
export function useLastQuestion(
  conversation: string,
  moments: readonly EpisodeOut[],
): { lastQuestion: string | undefined; isPending: boolean } {
  const { query, messages } = useMessages(conversation);
  const last = messages?.findLast(({ role }) => role === "user");
  const masked = moments.find(({ user_message_id: id }) => id === last?.id)?.user_message;
  return { lastQuestion: masked ?? last?.content, isPending: query.isPending };
}
