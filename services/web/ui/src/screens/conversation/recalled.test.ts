import { expect, it } from "vitest";

import { byFate, fatesOf } from "./recalled";
import type { ContextOut } from "@/client";

const context = {
  items: [
    { id: "far", kind: "episode", score: { total: 0.2, parts: {} }, reason: "Recent." },
    { id: "note", kind: "memory", score: { total: 0.9, parts: {} }, reason: "Close." },
    { id: "near", kind: "episode", score: { total: 0.8, parts: {} }, reason: "Close." },
  ],
  left_out: [
    { id: "shown", kind: "episode", reason: "The recent messages already show it." },
    { id: "old", kind: "memory", reason: "You paused it." },
  ],
} as unknown as ContextOut;

it("tells of each moment whether it is given, how near it came, and why", () => {
  expect([...fatesOf(context)]).toEqual([
    ["shown", { given: false, nearness: null, reason: "The recent messages already show it." }],
    ["far", { given: true, nearness: 0.2, reason: "Recent." }],
    ["near", { given: true, nearness: 0.8, reason: "Close." }],
  ]);
  expect(fatesOf(undefined).size).toBe(0);
});

it("puts the nearest first and leaves the others as they were", () => {
  const moments = ["newest", "shown", "far", "near", "oldest"].map((id) => ({ id }));
  expect(byFate(moments, fatesOf(context)).map(({ id }) => id)).toEqual(["near", "far", "newest", "shown", "oldest"]);
});
