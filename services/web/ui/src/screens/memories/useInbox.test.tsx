import { act, renderHook, waitFor } from "@testing-library/react";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";

import { useInbox } from "./useInbox";
import { queries } from "@/app/client";
import { client } from "@/client/client.gen";
import { aMemory, memoryId } from "@/testing/memories";

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
);

it("shows the next that wait when all shown are decided, and says that there are more", async () => {
  let waiting = Array.from({ length: 60 }, (_, number) => aMemory(number));
  client.setConfig({ baseUrl: location.origin });
  vi.stubGlobal("fetch", ({ url }: Request) =>
    Promise.resolve(Response.json(url.includes("waiting") ? waiting.slice(0, 50) : [])),
  );
  const { result } = renderHook(() => useInbox(1), { wrapper });
  await waitFor(() => expect(result.current.fresh).toHaveLength(50));
  expect(result.current.more).toEqual({ fresh: true, conflicts: false });

  waiting = waiting.slice(1);
  await act(() => queries.invalidateQueries());
  expect(result.current.fresh.map(({ id }) => id)).not.toContain(memoryId(50));

  waiting = waiting.slice(49);
  await act(() => queries.invalidateQueries());
  await waitFor(() => expect(result.current.fresh.map(({ id }) => id)).toContain(memoryId(50)));
  expect(result.current.more.fresh).toBe(false);
  client.setConfig({ baseUrl: "" });
  vi.unstubAllGlobals();
  queries.clear();
});
