import { expect, it } from "vitest";

import { byMessage } from "./learned";
import type { MemoryOut } from "@/client";

const memory = (id: string, messages: string[]) =>
  ({ id, sources: messages.map((message_id) => ({ message_id })) }) as MemoryOut;

it("groups what was learned by each message it comes from, oldest first", () => {
  const found = byMessage([memory("c", ["m2"]), memory("b", ["m1", "m2", "m2"]), memory("a", ["m1"])]);
  expect([...found].map(([message, all]) => [message, all.map(({ id }) => id)])).toEqual([
    ["m1", ["a", "b"]],
    ["m2", ["b", "c"]],
  ]);
});
