import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it } from "vitest";

import { queries } from "./client";

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
