import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { queries } from "./client";
import { useLive } from "./live";

const streams: Stream[] = [];

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  constructor() {
    super();
    streams.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Stream);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  streams.length = 0;
});

it("listens again after an answer that was no stream, and stops when nobody looks", () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(useLive, { wrapper });
  act(() => void streams[0]?.dispatchEvent(new Event("open")));
  expect(result.current).toBe(true);
  streams[0]?.close(); // as the browser does it on a 503
  act(() => void streams[0]?.dispatchEvent(new Event("error")));
  expect(result.current).toBe(false);
  act(() => vi.advanceTimersByTime(5_000));
  expect(streams).toHaveLength(2);
  act(() => void streams[1]?.dispatchEvent(new Event("open")));
  expect(result.current).toBe(true);
  unmount();
  expect(streams[1]?.readyState).toBe(Stream.CLOSED);
});
