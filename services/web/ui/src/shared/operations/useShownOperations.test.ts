import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { useShownOperations } from "./useShownOperations";
import { anOperation } from "@/testing/operations";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const ids = (shown: { id: string }[]) => shown.map(({ id }) => id);

it("shows what runs, and for a while that it has ended", () => {
  const running = anOperation();
  const ended = { ...running, status: "succeeded" as const };
  const { result, rerender } = renderHook(({ list }) => useShownOperations(list), {
    initialProps: { list: [running] },
  });
  expect(ids(result.current)).toEqual([running.id]);

  rerender({ list: [ended as typeof running] });
  expect(ids(result.current)).toEqual([running.id]);

  act(() => void vi.advanceTimersByTime(7000));
  expect(result.current).toEqual([]);
});

it("does not show what had ended before anybody looked", () => {
  const { result } = renderHook(() => useShownOperations([anOperation({ status: "succeeded" })]));
  expect(result.current).toEqual([]);
});

it("keeps showing what has stopped and needs somebody", () => {
  const failed = anOperation({ status: "failed" });
  const { result } = renderHook(() => useShownOperations([failed]));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(ids(result.current)).toEqual([failed.id]);
});

it("shows what can still be undone once it can no longer be", () => {
  vi.setSystemTime("2026-11-22T12:00:00Z");
  const undoable = anOperation({ status: "pending", not_before: "2026-11-22T12:00:08Z" });
  const { result } = renderHook(() => useShownOperations([undoable]));
  expect(result.current).toEqual([]);
  act(() => void vi.advanceTimersByTime(9000));
  expect(ids(result.current)).toEqual([undoable.id]);
});
