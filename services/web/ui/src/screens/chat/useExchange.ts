import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

import type { Why } from "./assistant";
import { begin, carryOn, type Exchange } from "./exchange";
import { personNow } from "@/app/session";
import { messagesKey } from "@/shared/messages";
import { conversationsOptions } from "@/shared/conversations";
import { draftKey, exchangeKey, keep, useKept } from "@/shared/kept";

/** Where a conversation that is not opened yet is kept. */
export const NEW = "new";

const reasonsKey = (answered: string) => ["chat", "reasons", answered] as const;
const hintKey = (answered: string) => ["chat", "hint", answered] as const;
const mineKey = (said: string) => ["chat", "mine", said] as const;

/** What ends an answer early, by the exchange. */
const stoppers = new Map<string, AbortController>();

async function run(queries: QueryClient, exchange: Exchange, opened: (id: string) => void): Promise<void> {
  let place = exchange.conversation ?? NEW;
  const stopper = new AbortController();
  stoppers.set(exchange.id, stopper);
  const person = personNow(queries);
  const tell = (now: Exchange) => {
    if (personNow(queries) !== person) return stopper.abort(); // somebody else is signed in by now
    if (now.conversation !== undefined && now.conversation !== place) {
      keep(queries, exchangeKey(place), null);
      moveDraft(queries, place, now.conversation);
      place = now.conversation;
      keep(queries, exchangeKey(place), now);
      void queries.invalidateQueries({ queryKey: conversationsOptions.queryKey });
      opened(place);
    } else keep(queries, exchangeKey(place), now);
  };
  const now = await carryOn(exchange, tell, stopper.signal);
  stoppers.delete(exchange.id);
  if (now.step !== "done" || personNow(queries) !== person) return;
  if (now.said !== undefined) keep(queries, mineKey(now.said), true);
  if (now.answered !== undefined) {
    keep(queries, reasonsKey(now.answered), now.reasons);
    keep(queries, hintKey(now.answered), now.hint === true);
  }
  // What was recorded takes its place on the screen: only then it goes, so that nothing flickers.
  await queries.invalidateQueries({ queryKey: messagesKey(place) });
  keep(queries, exchangeKey(place), null);
}

/** The conversation in whose opening the person went on typing. */
let typingIn: string | undefined;

/** Whether the field of a conversation that was just opened begins with the focus. */
export const wasTypingIn = (conversation: string | undefined): boolean =>
  conversation !== undefined && conversation === typingIn;

/** Take along what was typed on while the conversation was opened, and the focus. */
function moveDraft(queries: QueryClient, from: string, to: string): void {
  typingIn = document.activeElement instanceof HTMLTextAreaElement ? to : undefined;
  keep(queries, draftKey(to), queries.getQueryData<string>(draftKey(from)) ?? "");
  keep(queries, draftKey(from), "");
}

/** What is being said in a conversation right now, and how to say something. */
export function useExchange(conversation: string | undefined, opened: (id: string) => void) {
  const queries = useQueryClient();
  const place = conversation ?? NEW;
  const exchange = useKept<Exchange>(exchangeKey(place)) ?? undefined;
  return {
    exchange,
    send: useCallback(
      (words: string, remember: boolean) => void run(queries, begin(words, conversation, remember), opened),
      [queries, conversation, opened],
    ),
    goOn: useCallback(() => exchange && void run(queries, exchange, opened), [queries, exchange, opened]),
    stop: useCallback(() => exchange && stoppers.get(exchange.id)?.abort(), [exchange]),
    drop: useCallback(() => keep(queries, exchangeKey(place), null), [queries, place]),
  };
}

/**
 * What is typed and not sent, by conversation.
 *
 * The field follows a state of its own: what is kept comes back a moment later, which would move the caret, and disturb
 * an input method.
 */
export function useDraft(conversation: string | undefined): [string, (words: string) => void] {
  const queries = useQueryClient();
  const key = draftKey(conversation ?? NEW);
  const [typed, setTyped] = useState(() => queries.getQueryData<string>(key) ?? "");
  return [
    typed,
    (words) => {
      setTyped(words);
      keep(queries, key, words);
    },
  ];
}

const REMEMBER = ["chat", "remember"] as const;

/** Whether the conversation that is about to begin is remembered; kept, and in a state of its own, like what is typed. */
export function useRememberNext(): [boolean, (remember: boolean) => void] {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(() => queries.getQueryData<boolean>(REMEMBER) ?? true);
  return [
    chosen,
    useCallback(
      (remember) => {
        setChosen(remember);
        keep(queries, REMEMBER, remember);
      },
      [queries],
    ),
  ];
}

/** Why each source of an answer was given, if it was given in this visit. */
export const useReasons = (answered: string): Record<string, Why> =>
  useKept<Record<string, Why>>(reasonsKey(answered)) ?? {};

/** Whether the hint that preferences can be set belongs below an answer. */
export const useHint = (answered: string): boolean => useKept<boolean>(hintKey(answered)) === true;

/** Whether a message was sent in this visit: then it is told what is learned from it. */
export const useSentNow = (said: string): boolean => useKept<boolean>(mineKey(said)) === true;
