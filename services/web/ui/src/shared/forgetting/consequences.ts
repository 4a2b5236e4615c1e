import { queryOptions } from "@tanstack/react-query";

import { type Target, wishFor } from "./target";
import {
  dryRunForget,
  type DryRunOut,
  getConversation,
  getDerived,
  getLongTerm,
  getMessage,
  listLongTerm,
  listMessages,
  type MessageOut,
  previewForget,
} from "@/client";

/** How many sentences are quoted before the rest is only counted. */
const QUOTES = 3;

/** How far from a message the others of its turn are looked for. */
const NEAR = 10;

export interface Consequences {
  counts: DryRunOut["counts"];
  /** Turns that still say some of it, and are learned from again. */
  learnedAgain: number;
  /** Items of which only a part goes. */
  partly: number;
  /** What itself goes, in its own words; a conversation by its title. */
  itself: readonly string[];
  /** How many more such quotes there are. */
  moreOfIt: number;
  /** What is remembered because of it, in words. */
  remembered: readonly string[];
  /** Who said it, if it is a message. */
  role: string | null;
}

/** What forgetting `target` would take, read afresh each time it is asked: nothing is changed by asking. */
export const consequencesOf = (target: Target, cascade: boolean) =>
  queryOptions({
    queryKey: ["consequences", wishFor(target, cascade)],
    queryFn: () => foresee(target, cascade),
    gcTime: 0,
    staleTime: Infinity,
  });

function foresee(target: Target, cascade: boolean): Promise<Consequences> {
  switch (target.scope) {
    case "message":
      return ofMessage(target.id, cascade);
    case "conversation":
      return ofConversation(target.id);
    case "selection":
      return ofSelection(target);
  }
}

async function ofMessage(id: string, cascade: boolean): Promise<Consequences> {
  const [foreseen, message] = await Promise.all([
    dryRunForget({ body: wishFor({ scope: "message", id }, cascade), throwOnError: true }),
    getMessage({ path: { message_id: id }, throwOnError: true }),
  ]);
  return {
    ...counted(foreseen.data),
    itself: [message.data.content],
    remembered: await learnedWith(message.data),
    role: message.data.role,
  };
}

/** What was learned from the turn of a message: it goes with each of the turn's messages. */
async function learnedWith({ conversation_id, turn, seq }: MessageOut): Promise<string[]> {
  const around = { conversation_id, before_seq: seq + NEAR, limit: 2 * NEAR };
  const { data } = await listMessages({ query: around, throwOnError: true });
  const said = data.filter((one) => one.turn === turn);
  const derived = await Promise.all(
    said.map((one) => getDerived({ path: { message_id: one.id }, throwOnError: true })),
  );
  const memories = derived
    .flatMap((one) => one.data.derived)
    .filter(({ kind, relation }) => kind === "memory" && relation === "text_from");
  return [...new Map(memories.map(({ id, content }) => [id, content])).values()]
    .flatMap((content) => content ?? [])
    .slice(0, QUOTES);
}

async function ofConversation(id: string): Promise<Consequences> {
  const [foreseen, conversation, memories] = await Promise.all([
    dryRunForget({ body: wishFor({ scope: "conversation", id }, false), throwOnError: true }),
    getConversation({ path: { conversation_id: id }, throwOnError: true }),
    listLongTerm({ query: { conversation_id: id, limit: QUOTES }, throwOnError: true }),
  ]);
  return {
    ...counted(foreseen.data),
    itself: conversation.data.title === null ? [] : [conversation.data.title],
    remembered: memories.data.map(({ content }) => content),
    role: null,
  };
}

async function ofSelection(target: Target & { scope: "selection" }): Promise<Consequences> {
  const { data } = await previewForget({ body: { token: target.token, ids: [...target.ids] }, throwOnError: true });
  const made = data.items.filter(({ kind, because }) => kind === "memory" && because === "made_from_it");
  const memories = await Promise.all(
    made.slice(0, QUOTES).map(({ id }) => getLongTerm({ path: { memory_id: id }, throwOnError: true })),
  );
  const quotes = [...new Set(target.quotes)];
  return {
    ...counted(data),
    partly: data.items.filter(({ what_is_left }) => what_is_left).length,
    itself: quotes.slice(0, QUOTES),
    moreOfIt: Math.max(0, quotes.length - QUOTES),
    remembered: memories.map((memory) => memory.data.content),
    role: null,
  };
}

const counted = ({ counts, turns_learned_again }: DryRunOut) => ({
  counts,
  learnedAgain: turns_learned_again,
  partly: 0,
  moreOfIt: 0,
});
