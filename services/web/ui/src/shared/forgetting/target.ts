import type { ForgetIn } from "@/client";

/**
 * What a person wants forgotten. A selection's token and ids come from `forget/find`, or its ids from a list; `quotes`
 * are what was ticked.
 */
export type Target =
  | { scope: "message"; id: string }
  | { scope: "conversation"; id: string }
  | { scope: "selection"; token: string | null; ids: readonly string[]; quotes: readonly string[] };

/** The request that asks what forgetting it takes, and forgets it; `cascade`: a message with its whole turn. */
export function wishFor(target: Target, cascade: boolean): ForgetIn {
  switch (target.scope) {
    case "message":
      return { scope: "message", message_id: target.id, cascade };
    case "conversation":
      return { scope: "conversation", conversation_id: target.id };
    case "selection":
      return { scope: "selection", token: target.token, ids: [...target.ids] };
  }
}
