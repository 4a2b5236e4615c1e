import { queryOptions, useQuery } from "@tanstack/react-query";

import { getSession, type SessionOut, signIn } from "@/client";
import { keep, useKept } from "@/shared/kept";
import { isProblem } from "@/shared/problems";

const FRAGMENT = "#token=";

/** Exchange the token of a sign-in link for the session cookie, and take it out of the address. */
async function redeemLink(): Promise<void> {
  if (!location.hash.startsWith(FRAGMENT)) return;
  const token = decodeURIComponent(location.hash.slice(FRAGMENT.length));
  history.replaceState(null, "", location.pathname);
  await signIn({ body: { token } });
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
    const byLink = location.hash.startsWith(FRAGMENT);
    try {
      await redeemLink();
      return (await getSession()).data ?? null;
    } catch (error) {
      if (byLink) keep(client, LINK_REFUSED, error);
      if (isProblem(error) && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

const LINK_REFUSED = ["session", "link refused"] as const;

/** Why the sign-in link this page was opened with is not valid, if it was opened with one. */
export const useRefusedLink = () => useKept<unknown>(LINK_REFUSED);

/** Who is signed in: `undefined` while nobody knows yet, `null` when nobody is. */
export const useSession = () => useQuery(sessionOptions);
