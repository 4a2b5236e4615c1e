import { answer, BUILT_IN, type Done, open, record, type Said, STAND_IN, type Why } from "./assistant";
import { withoutUnfinishedCitation } from "./citations";
import { randomKey } from "@/shared/once";
import { Unreachable } from "@/shared/problems";

/**
 * What a person says and the answer to it, from the first key press to the record.
 *
 * It goes through `steps` in order. What a step has reached is kept here, so that going on after a failure repeats
 * nothing; and all that is sent is named by `id`, so that what the server had after all is not recorded twice.
 */
export interface Exchange {
  readonly id: string;
  readonly words: string;
  /** Whether a conversation that is opened for it is remembered. */
  readonly remember: boolean;
  readonly step: "saying" | "answering" | "keeping" | "done";
  readonly conversation?: string | undefined;
  /** The recorded message. */
  readonly said?: string;
  readonly answer: string;
  /** Whether the person stopped it: what is there is recorded as a part. */
  readonly stopped?: boolean;
  /** The recorded answer. */
  readonly answered?: string;
  /** Under which name the answer is recorded; none for a language model's. */
  readonly answeredBy?: string | undefined;
  /** Why each thing was given to the assistant, by its id. */
  readonly reasons: Readonly<Record<string, Why>>;
  /** Whether the person may be told that preferences can be set. */
  readonly hint?: boolean;
  /** Why it does not go on; somebody has to say so. */
  readonly failure?: unknown;
}

export const begin = (words: string, conversation: string | undefined, remember: boolean): Exchange => ({
  id: randomKey(),
  words,
  remember,
  conversation,
  step: "saying",
  answer: "",
  reasons: {},
});

/**
 * Take an exchange as far as it goes: `done`, or with a `failure`. Never throws.
 *
 * @param tell hears of every change.
 * @param signal ends the answer where it is; what was said until then is kept.
 */
export async function carryOn(
  exchange: Exchange,
  tell: (exchange: Exchange) => void,
  signal: AbortSignal,
): Promise<Exchange> {
  let now: Exchange = exchange;
  const become = (change: Partial<Exchange>) => {
    now = { ...now, ...change };
    tell(now);
  };
  become({ failure: undefined });
  try {
    if (now.step === "saying") become(await say(now, become));
    if (now.step === "answering") become(await hear(now, become, signal));
    if (now.step === "keeping") become(await keep(now));
  } catch (failure) {
    become({ failure });
  }
  return now;
}

/** Nothing was answered before the person stopped it. */
export const STOPPED = new Error("stopped");

async function say(now: Exchange, become: (change: Partial<Exchange>) => void): Promise<Partial<Exchange>> {
  const conversation = now.conversation ?? (await open(now.id, now.remember));
  become({ conversation });
  const recorded = await record(conversation, { role: "user", content: now.words, client_message_id: now.id });
  // Somebody forgot it between two attempts: it stays forgotten, and nothing is answered.
  return recorded.outcome === "erased" ? { step: "done" } : { said: recorded.id, step: "answering" };
}

async function hear(
  now: Exchange,
  become: (change: Partial<Exchange>) => void,
  signal: AbortSignal,
): Promise<Partial<Exchange>> {
  if (now.conversation === undefined) throw new TypeError("nothing was said yet");
  let text = "";
  let brokeOff = false;
  become({ answer: "" });
  const told = (said: Said) => {
    switch (said.event) {
      case "context":
        return become({
          reasons: Object.fromEntries(said.data.items.map(({ id, reason_code }) => [id, reason_code])),
          hint: said.data.hint != null,
        });
      case "delta":
        text += said.data.text;
        return become({ answer: text });
      case "done":
        brokeOff = said.data.responder === "llm" && said.data.because !== null;
        return become({ answeredBy: nameOf(said.data) });
    }
  };
  await answer(now.conversation, now.words, told, signal);
  if (brokeOff) throw new Unreachable(); // half of an answer may say the contrary of all of it
  text = withoutUnfinishedCitation(text).trim();
  if (text === "") throw STOPPED;
  return { answer: text, stopped: signal.aborted, step: "keeping" };
}

const nameOf = ({ responder, because }: Done): string | undefined =>
  responder === "llm" ? undefined : because === null ? BUILT_IN : STAND_IN;

async function keep(now: Exchange): Promise<Partial<Exchange>> {
  if (now.conversation === undefined) throw new TypeError("nothing was said yet");
  const recorded = await record(now.conversation, {
    role: "assistant",
    content: now.answer,
    client_message_id: `${now.id}:answer`,
    completed: now.stopped !== true,
    ...(now.answeredBy === undefined ? {} : { name: now.answeredBy }),
    ...(now.said === undefined ? {} : { answers: now.said }),
  });
  // What was asked was forgotten meanwhile, and the answer may repeat it.
  return recorded.outcome === "erased" ? { answer: "", step: "done" } : { answered: recorded.id, step: "done" };
}
