import { act, render, screen } from "@testing-library/react";
import { MantineProvider } from "@mantine/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Announced } from "./Announced";
import { begin, type Exchange } from "./exchange";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const said = begin("When do I fly?", "1", true);
const answering: Exchange = { ...said, step: "answering", answer: "On Tues" };
const answered: Exchange = {
  ...said,
  step: "keeping",
  answer: "On Tuesday. [Memory#00000000-0000-4000-8000-000000000001]",
};

const screenOf = (exchange: Exchange | undefined) => (
  <MantineProvider>
    <Announced exchange={exchange} />
  </MantineProvider>
);

it("an answer is told once it is whole, without what it cites, also when its exchange is over", () => {
  const { rerender } = render(screenOf(said));
  rerender(screenOf(answering));
  expect(screen.getByRole("status").textContent).toBe("");
  rerender(screenOf(answered));
  rerender(screenOf(undefined));
  expect(screen.getByRole("status").textContent).toBe("On Tuesday.");
});

it("its words are gone before somebody reads on", () => {
  render(screenOf(answered));
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole("status").textContent).toBe("");
});
