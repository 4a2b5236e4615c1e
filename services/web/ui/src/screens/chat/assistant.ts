import { chat, type ContextOut, createConversation, type MessageOut, postMessages, type RecordedOut } from "@/client";
import { isProblem, Unreachable } from "@/shared/problems";

/** Why something was given to the assistant. */
export type Why = ContextOut["items"][number]["reason_code"];

/** What the assistant says last: who answered, and from what. */
export interface Done {
  responder: "built_in" | "llm";
  cited: { id: string; kind: string }[];
  because: "llm_failed" | null;
}

/** One event of an answer on its way. */
export type Said =
  { event: "context"; data: ContextOut } | { event: "delta"; data: { text: string } } | { event: "done"; data: Done };

/** The names under which answers of the built-in responder are recorded, so that they can be told apart later. */
export const BUILT_IN = "built_in";
/** It answered because the language model did not. */
export const STAND_IN = "built_in_stand_in";

export const isBuiltIn = ({ role, name }: Pick<MessageOut, "role" | "name">): boolean =>
  role === "assistant" && (name === BUILT_IN || name === STAND_IN);

/** Open a conversation. Repeated with the same key it is the same conversation. */
export async function open(key: string, remember: boolean): Promise<string> {
  const { data } = await createConversation({
    body: { remember },
    headers: { "Idempotency-Key": key },
    throwOnError: true,
  });
  return data.id;
}

/** Record one message. Repeated with the same client id it changes nothing. */
export async function record(
  conversation: string,
  message: {
    role: "user" | "assistant";
    content: string;
    client_message_id: string;
    completed?: boolean;
    name?: string;
    answers?: string;
  },
): Promise<RecordedOut> {
  const { data } = await postMessages({
    body: { conversation_id: conversation, messages: [message] },
    throwOnError: true,
  });
  const [recorded] = data.messages;
  if (recorded === undefined) throw new Unreachable();
  return recorded;
}

/**
 * Have a message answered; `told` hears the events as they come.
 *
 * @throws Problem when it was refused; Unreachable when the answer broke off; nothing when `signal` ended it.
 */
export async function answer(
  conversation: string,
  message: string,
  told: (said: Said) => void,
  signal: AbortSignal,
): Promise<void> {
  let failure: unknown = new Unreachable(); // until the end has come
  const { stream } = await chat({
    body: { conversation_id: conversation, message },
    signal,
    sseMaxRetryAttempts: 1,
    fetch: refusing,
    onSseError: (error) => {
      failure = isProblem(error) ? error : new Unreachable();
    },
    onSseEvent: ({ event, data }) => {
      if (event === "done") failure = undefined;
      told({ event, data } as unknown as Said); // the document says only that events come
    },
  });
  let ended = false;
  while (!ended) ended = (await stream.next()).done === true;
  if (failure !== undefined && !signal.aborted) throw failure;
}

/** As `fetch`, but a refusal is thrown as the problem it is: the generated reader would only tell its status. */
const refusing: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (!response.ok) throw await response.json();
  return response;
};
