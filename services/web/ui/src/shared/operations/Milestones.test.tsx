import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Milestones } from "./Milestones";
import { anOperation } from "@/testing/operations";
import { renderApp } from "@/testing/server";

beforeEach(() => vi.setSystemTime("2026-11-22T12:00:00Z"));
afterEach(() => vi.useRealTimers());

const ERASED = anOperation({ status: "succeeded", erased_at: "2026-11-22T11:59:00Z" });
const last = () => screen.getAllByRole("listitem").at(-1)?.textContent;

it.each([
  [anOperation(), "Leftover bytes overwrittennot yet"],
  [
    { ...ERASED, purge_expected_at: "2026-11-22T11:59:30Z" },
    "Leftover bytes overwrittenlater than planned; will be tried again",
  ],
  [{ ...ERASED, purge_expected_at: null }, "Leftover bytes overwrittennot recorded here"],
])("says in words how it stands with the leftover bytes", (operation, words) => {
  renderApp(<Milestones of={operation} />);
  expect(last()).toBe(words);
});

it("says about when they are overwritten, and that they are", () => {
  const { unmount } = renderApp(<Milestones of={{ ...ERASED, purge_expected_at: "2026-11-22T12:56:00Z" }} />);
  expect(last()).toMatch(/^Leftover bytes overwritten by about \d/);
  unmount();
  renderApp(<Milestones of={{ ...ERASED, purged_at: "2026-11-22T11:59:59Z" }} />);
  expect(last()).toMatch(/^Leftover bytes overwritten\d/);
});
