import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";

import { randomKey, useOnceKey } from "./once";

it("a request keeps its key while it is the same request, and gets another one after a change", () => {
  const { result } = renderHook(() => useOnceKey());
  const first = result.current({ content: "a" });
  expect(result.current({ content: "a" })).toBe(first);
  const second = result.current({ content: "b" });
  expect(second).not.toBe(first);
  expect(result.current({ content: "a" })).not.toBe(first);
});

it("a key may stand in a header, and is nobody else's", () => {
  const keys = Array.from({ length: 100 }, randomKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
