import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";

import { useMorePages } from "./useMorePages";

it("gets the page it was asked for, even when the list is outdated while the page is on its way", async () => {
  const queries = new QueryClient();
  const waiting: (() => void)[] = [];
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const list = useInfiniteQuery({
        queryKey: ["list"],
        initialPageParam: 1,
        queryFn: async ({ pageParam, signal }) => {
          await new Promise<void>((answer, refuse) => {
            waiting.push(answer);
            signal.addEventListener("abort", () => refuse(new Error("aborted")));
          });
          return pageParam;
        },
        getNextPageParam: (page) => page + 1,
      });
      return { list, ...useMorePages(list) };
    },
    { wrapper },
  );
  const answerAll = () => act(() => Promise.resolve(waiting.splice(0).forEach((answer) => answer())));
  const asked = () => waitFor(() => expect(waiting).not.toHaveLength(0));

  await asked();
  await answerAll();
  await waitFor(() => expect(result.current.list.data?.pages).toEqual([1]));

  act(() => result.current.more());
  await asked();
  expect(result.current.coming).toBe(true);
  waiting.length = 0; // page 2 is on its way, and is broken off
  act(() => void queries.invalidateQueries({ queryKey: ["list"] }));
  for (let answers = 0; answers < 2; answers++) {
    await asked();
    await answerAll();
  }

  await waitFor(() => expect(result.current.list.data?.pages).toEqual([1, 2]));
  expect(result.current.coming).toBe(false);
});

it("asks for a page that failed again when somebody says so, and not by itself", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const asked: number[] = [];
  const { result } = renderHook(
    () => {
      const list = useInfiniteQuery({
        queryKey: ["list"],
        initialPageParam: 1,
        queryFn: ({ pageParam }) => {
          asked.push(pageParam);
          return asked.length === 2 ? Promise.reject(new Error("refused")) : Promise.resolve(pageParam);
        },
        getNextPageParam: (page) => page + 1,
      });
      return { list, ...useMorePages(list) };
    },
    { wrapper },
  );
  await waitFor(() => expect(result.current.list.data?.pages).toEqual([1]));
  act(() => result.current.more());
  await waitFor(() => expect(result.current.list.isFetchNextPageError).toBe(true));
  await new Promise((later) => setTimeout(later, 50));
  expect(asked).toEqual([1, 2]);
  expect(result.current.coming).toBe(false);
  act(() => result.current.more());
  await waitFor(() => expect(result.current.list.data?.pages).toEqual([1, 2]));
});
