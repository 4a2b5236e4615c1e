import { expect, it } from "vitest";

import { allOf, MOST_AT_ONCE, NOTHING_PICKED, pickedOf, withPicked } from "./picking";
import type { Row } from "./rows";
import { aMemory, memoryId } from "@/testing/memories";

const row = (number: number): Row => ({ key: memoryId(number), memory: aMemory(number), edited: false });

it("picks one and takes it back", () => {
  const one = withPicked(NOTHING_PICKED, memoryId(1), true);
  expect([...one]).toEqual([memoryId(1)]);
  expect([...withPicked(one, memoryId(1), false)]).toEqual([]);
});

it("means only what still stands in the list", () => {
  const rows: Row[] = [row(3), { key: memoryId(2), operationId: "o" }, row(1)];
  const picked = new Set([memoryId(1), memoryId(2), memoryId(9)]);
  expect(pickedOf(rows, picked).map(({ id }) => id)).toEqual([memoryId(1)]);
  expect([...allOf(rows)]).toEqual([memoryId(3), memoryId(1)]);
});

it("means an edited memory by the id it has now", () => {
  const edited: Row = { key: memoryId(1), memory: aMemory(7), edited: true };
  expect([...allOf([edited])]).toEqual([memoryId(7)]);
});

it("never picks more than can go at once", () => {
  const all = allOf(Array.from({ length: MOST_AT_ONCE + 5 }, (_, index) => row(index)));
  expect(all.size).toBe(MOST_AT_ONCE);
  expect(withPicked(all, "one more", true)).toBe(all);
});
