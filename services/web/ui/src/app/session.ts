import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";

import { getSession, type SessionOut, signIn } from "@/client";
import { tokenIn, userOf } from "@/screens/sign-in/tokenIn";
import { type Drafts, draftsOf, keep, useKept } from "@/shared/kept";
import { isProblem } from "@/shared/problems";

const FRAGMENT = "#token=";

/** The token of the sign-in link this page was opened with, until the server has answered to it. */
let unanswered: string | null = null;

/** Take the token of a sign-in link out of the address. */
function takeToken(): void {
  if (!location.hash.startsWith(FRAGMENT)) return;
  unanswered = tokenIn(location.hash);
  history.replaceState(null, "", location.pathname);
}

/** Who is signed in by the cookie; `null` when nobody is. */
async function signedIn(): Promise<SessionOut | null> {
  try {
    return (await getSession()).data ?? null;
  } catch (error) {
    if (isProblem(error) && error.status === 401) return null;
    throw error;
  }
}

/** A link opened over a page that is there already only changes what follows `#`: begin anew with it. */
export function beginAnewOnLink(): void {
  addEventListener("hashchange", () => {
    if (location.hash.startsWith(FRAGMENT)) location.reload();
  });
}

export const sessionOptions = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ client }): Promise<SessionOut | null> => {
    takeToken();
    const session = await signedIn();
    const token = unanswered;
    if (token === null) return session;
    if (session !== null && session.user_id !== userOf(token)) {
      // Whoever sent the link must not become who writes here: the person is asked (login CSRF).
      keep(client, LINK_OFFERED, token);
      unanswered = null;
      return session;
    }
    try {
      const { data } = await signIn({ body: { token } });
      unanswered = null;
      return data ?? null;
    } catch (error) {
      if (!isProblem(error)) throw error; // the server did not answer: asked again, the token still counts
      unanswered = null;
      keep(client, LINK_REFUSED, error);
      return session;
    }
  },
  staleTime: Infinity,
});

const LINK_REFUSED = ["session", "link refused"] as const;
const LINK_OFFERED = ["session", "link offered"] as const;

/** The token of a sign-in link for somebody else than who is signed in, until it is decided about. */
export const useOfferedLink = () => useKept<string>(LINK_OFFERED) ?? null;

/** Stay who is signed in. */
export const declineLink = (client: QueryClient) => keep(client, LINK_OFFERED, null);

/** Go on as somebody else, with nothing of what was known of who was here before. */
export function become(client: QueryClient, session: SessionOut | null): void {
  declineLink(client);
  delete window.firstReads;
  client.setQueryData(sessionOptions.queryKey, session);
  // All but the session itself: who waits for it, as the page does, would not hear of it any more.
  client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== sessionOptions.queryKey[0] });
}

/**
 * Look again who is signed in, because it expired, or another tab signed out or in: then go on as whoever it is, with
 * nothing of what was known of the person before.
 */
export async function lookAgain(client: QueryClient): Promise<void> {
  const known = client.getQueryData<SessionOut | null>(sessionOptions.queryKey);
  if (known === undefined || known === null) return;
  const now = await signedIn().catch(() => known); // the server did not answer
  if (now?.user_id === known.user_id) return;
  const unsent = now === null && Date.parse(known.expires_at) <= Date.now() ? draftsOf(client) : undefined;
  become(client, now);
  if (unsent !== undefined) keep(client, EXPIRED, { person: known.user_id, unsent } satisfies Expired);
}

/** Whose session expired in this page, and what they had typed and not sent. */
interface Expired {
  person: string;
  unsent: Drafts;
}

const EXPIRED = ["session", "expired"] as const;

/** Whether somebody's session expired while this page was open, and whether they had typed something. */
export function useExpired(): "typing" | "idle" | undefined {
  const expired = useKept<Expired>(EXPIRED);
  if (expired == null) return undefined;
  return expired.unsent.length > 0 ? "typing" : "idle";
}

/** Somebody signed in: whose session expired goes on with what they had typed, and nobody else is given it. */
export function goOn(client: QueryClient, session: SessionOut): void {
  const expired = client.getQueryData<Expired | null>(EXPIRED);
  keep(client, EXPIRED, null);
  if (expired?.person === session.user_id) for (const [name, words] of expired.unsent) keep(client, name, words);
  client.setQueryData(sessionOptions.queryKey, session);
}

/** Who is signed in as far as is known, without asking. */
export const personNow = (client: QueryClient): string | undefined =>
  client.getQueryData<SessionOut | null>(sessionOptions.queryKey)?.user_id;

/** Why the sign-in link this page was opened with is not valid, if it was opened with one. */
export const useRefusedLink = () => useKept<unknown>(LINK_REFUSED);

/** Who is signed in: `undefined` while nobody knows yet, `null` when nobody is. */
export const useSession = () => useQuery(sessionOptions);
