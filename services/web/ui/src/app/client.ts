import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

import { lookAgain } from "./session";
import { client } from "@/client/client.gen";
import { isProblem, Unreachable } from "@/shared/problems";

/** Some reads are POSTs, so that a question is in no address. */
const READS = /\/(preview|search|find|recall|dry-run)$/;

const changes = ({ method, url }: Request): boolean => method !== "GET" && !READS.test(new URL(url).pathname);

/** Ask the server, or take the answer to what was asked before the app was there. */
async function asked(request: Request | URL | string): Promise<Response> {
  // What was asked before anything was changed, or somebody else signed in, answers nothing any more.
  if (request instanceof Request && changes(request)) delete window.firstReads;
  const address = request instanceof Request && request.method === "GET" ? request.url : "";
  const path = address.slice(location.origin.length);
  const early = window.firstReads?.get(path);
  if (early === undefined) return fetch(request);
  window.firstReads?.delete(path);
  return early.catch(() => fetch(request));
}

/** Same origin, session cookie; a failure is thrown as a `Problem` or as `Unreachable`. */
client.setConfig({ baseUrl: "", credentials: "same-origin", throwOnError: true, fetch: asked });
client.interceptors.error.use((error) => (isProblem(error) ? error : new Unreachable()));

/** It is not there any more, or never was: what was read of it before must not be shown on. */
const isGone = (error: unknown): boolean => isProblem(error) && (error.status === 404 || error.status === 410);

const isSignedOut = (error: unknown): boolean => isProblem(error) && error.status === 401;

const refusedForGood = (error: unknown): boolean => isProblem(error) && error.status < 500 && error.status !== 429;

/** Reads are asked for again when the live stream says that they moved, so nothing refetches merely for being looked at. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    // A read that fails keeps what it knew; of something forgotten nothing may be kept, whoever shows it.
    onError: (error, query) => {
      if (isGone(error)) query.setState({ data: undefined });
      if (isSignedOut(error)) void lookAgain(queries);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      if (isSignedOut(error)) void lookAgain(queries);
    },
  }),
  defaultOptions: {
    // Also while the browser says that there is no network: the server may be this very machine.
    queries: {
      networkMode: "always",
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: (failures, error) => !refusedForGood(error) && failures < 2,
    },
    mutations: { networkMode: "always", retry: false },
  },
});
