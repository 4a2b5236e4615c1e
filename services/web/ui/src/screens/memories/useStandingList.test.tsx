import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it } from "vitest";

import { AT_FIRST } from "./filters";
import { useStandingList } from "./useStandingList";
import type { MemoryOut } from "@/client";
import { client } from "@/client/client.gen";
import { aMemory } from "@/testing/memories";

const NOTHING_DONE = new Map();
const made = (number: number): MemoryOut =>
  aMemory(number, { created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString() });

/** A server that lists memories as the real one does: newest first, by cursor, between two moments. */
function aList(count: number) {
  const held = Array.from({ length: count }, (_, index) => made(count - index));
  const asked: string[] = [];
  const answer = (request: Request): Response => {
    const { searchParams: query } = new URL(request.url);
    asked.push(query.get("cursor") ?? (query.has("created_after") ? "newer" : "first"));
    const [cursor, after, before] = ["cursor", "created_after", "created_before"].map((name) => query.get(name));
    const found = held
      .filter(({ id }) => cursor == null || id < cursor)
      .filter(({ created_at }) => after == null || created_at >= after)
      .filter(({ created_at }) => before == null || created_at < before);
    const limit = Number(query.get("limit"));
    const page = found.slice(0, limit);
    const last = page.at(-1)?.id ?? "";
    const headers = page.length < limit ? undefined : { Link: `</api?cursor=${last}>; rel="next"` };
    return Response.json(page, headers === undefined ? {} : { headers });
  };
  const fetch = ((request: Request) => Promise.resolve(answer(request))) as typeof globalThis.fetch;
  client.setConfig({ baseUrl: "http://server.test", fetch });
  return { held, asked };
}

function shown() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useStandingList(AT_FIRST, "newest", NOTHING_DONE), { wrapper });
  const contents = () => result.current.rows.map((row) => ("memory" in row ? row.memory.content : "?"));
  /** What the live stream does when memories have moved. */
  const moved = () => act(() => queries.invalidateQueries());
  return { result, contents, moved };
}

afterEach(cleanup);

it("what is new waits until it is asked for", async () => {
  const { held } = aList(3);
  const { result, contents, moved } = shown();
  await waitFor(() => expect(contents()).toEqual(["Memory 3", "Memory 2", "Memory 1"]));
  held.unshift(made(5), made(4));
  await moved();
  await waitFor(() => expect(result.current.newer).toBe(2));
  expect(contents()).toEqual(["Memory 3", "Memory 2", "Memory 1"]);
  await act(() => result.current.renew());
  await waitFor(() => expect(contents()).toHaveLength(5));
  await waitFor(() => expect(result.current.newer).toBe(0));
});

it("what was forgotten elsewhere leaves, what changed is shown as it is", async () => {
  const { held } = aList(3);
  const { contents, moved } = shown();
  await waitFor(() => expect(contents()).toHaveLength(3));
  held.splice(0, 2, aMemory(2, { ...held[1], content: "Memory 2, paused", disabled: true }));
  await moved();
  await waitFor(() => expect(contents()).toEqual(["Memory 2, paused", "Memory 1"]));
});

it("what was forgotten at the top comes back there, also what was written down after the one above it", async () => {
  const { held } = aList(3);
  const [first, second] = held.map((memory) => memory.created_at);
  held.splice(0, 2, { ...held[0], created_at: second } as MemoryOut, { ...held[1], created_at: first } as MemoryOut);
  const { contents, moved } = shown();
  await waitFor(() => expect(contents()).toHaveLength(3));
  const forgotten = held.splice(0, 2);
  await moved();
  await waitFor(() => expect(contents()).toEqual(["Memory 1"]));
  held.unshift(...forgotten);
  await moved();
  await waitFor(() => expect(contents()).toEqual(["Memory 3", "Memory 2", "Memory 1"]));
});

it("of a long list only the pages on screen are read again, and none is lost or doubled", async () => {
  const { held, asked } = aList(70);
  const { result, contents, moved } = shown();
  for (const pages of [1, 2, 3]) {
    await waitFor(() => expect(contents()).toHaveLength(pages * 20));
    await act(() => result.current.list.fetchNextPage());
  }
  await waitFor(() => expect(contents()).toHaveLength(70));
  act(() => result.current.watch(50, 58));
  asked.length = 0;
  held.splice(55, 1);
  await moved();
  await waitFor(() => expect(contents()).toHaveLength(69));
  expect(contents()).toEqual(held.map(({ content }) => content));
  expect(asked.filter((what) => what !== "newer")).toEqual([held[39]?.id]);
});
