import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";

import { queries } from "./client";
import { goOn } from "./session";
import type { SessionOut } from "@/client";
import { client } from "@/client/client.gen";
import { draftKey, exchangeKey, keep } from "@/shared/kept";

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
);

afterEach(() => queries.clear());

async function readTwice(failure: unknown) {
  let reads = 0;
  const { result } = renderHook(
    () => {
      const { data, error } = useQuery({
        queryKey: ["memory"],
        queryFn: () => (reads++ === 0 ? Promise.resolve("I like tea.") : Promise.reject(failure)),
        retry: false,
      });
      return { data, error };
    },
    { wrapper },
  );
  await waitFor(() => expect(result.current.data).toBe("I like tea."));
  await act(() => queries.invalidateQueries());
  await waitFor(() => expect(result.current.error).toEqual(failure));
  return result.current;
}

it.each([404, 410])("keeps nothing of what was forgotten (%d)", async (status) => {
  const read = await readTwice({ status, code: "not_found", title: "Gone." });
  expect(read.data).toBeUndefined();
});

it("keeps what it read while the server cannot be reached", async () => {
  const read = await readTwice({ status: 503, code: "busy", title: "Busy." });
  expect(read.data).toBe("I like tea.");
});

const EARLY = "/api/v1/memory/overview";

async function readAfter(change: () => Promise<unknown>) {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ whose: "Bob" })));
  window.firstReads = new Map([[EARLY, Promise.resolve(Response.json({ whose: "Ada" }))]]);
  await change();
  const { data } = await client.get({ baseUrl: location.origin, url: EARLY });
  vi.unstubAllGlobals();
  return data;
}

it("takes what was asked before the app was there, once", async () => {
  expect(await readAfter(() => Promise.resolve())).toEqual({ whose: "Ada" });
});

it("takes nothing that was asked before anything was changed, or somebody else signed in", async () => {
  const change = () => client.post({ baseUrl: location.origin, url: "/api/v1/session" });
  expect(await readAfter(change)).toEqual({ whose: "Bob" });
});

it("keeps nothing of whoever is not signed in any more", async () => {
  const problem = { status: 401, code: "credentials_missing", title: "Sign in." };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(problem, { status: 401 })));
  client.setConfig({ baseUrl: location.origin });
  queries.setQueryData(["session"], { user_id: "ada", expires_at: "2026-01-01T00:00:00Z" });
  queries.setQueryData(["memory"], "I like tea.");
  await queries
    .fetchQuery({ queryKey: ["other"], queryFn: () => client.get({ baseUrl: location.origin, url: EARLY }) })
    .catch(() => undefined);
  await waitFor(() => expect(queries.getQueryData(["session"])).toBeNull());
  expect(queries.getQueryData(["memory"])).toBeUndefined();
  client.setConfig({ baseUrl: "" });
  vi.unstubAllGlobals();
});

/** Whose session ends at `expires`, with something typed, and then signs in again as `who`: what is in the text box. */
async function typedAfter(expires: string, who: string): Promise<unknown> {
  const problem = { status: 401, code: "credentials_expired", title: "Sign in." };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(problem, { status: 401 })));
  client.setConfig({ baseUrl: location.origin });
  queries.setQueryData(["session"], { user_id: "ada", expires_at: expires });
  keep(queries, draftKey("c"), "I keep be");
  keep(queries, exchangeKey("c"), { step: "saying", words: "I row." });
  keep(queries, exchangeKey("d"), { step: "answering", words: "recorded already" });
  await queries
    .fetchQuery({ queryKey: ["other"], queryFn: () => client.get({ baseUrl: location.origin, url: EARLY }) })
    .catch(() => undefined);
  await waitFor(() => expect(queries.getQueryData(["session"])).toBeNull());
  expect(queries.getQueryData(draftKey("c"))).toBeUndefined();
  client.setConfig({ baseUrl: "" });
  vi.unstubAllGlobals();
  goOn(queries, { user_id: who, expires_at: "2099-01-01T00:00:00Z" } as SessionOut);
  const typed = queries.getQueryData(draftKey("c"));
  queries.clear();
  return typed;
}

it("gives back what was typed to whose session expired, and to nobody else, nor after signing out", async () => {
  expect(await typedAfter("2026-01-01T00:00:00Z", "ada")).toBe("I row.\nI keep be");
  expect(await typedAfter("2026-01-01T00:00:00Z", "bob")).toBeUndefined();
  expect(await typedAfter("2099-01-01T00:00:00Z", "ada")).toBeUndefined();
});
