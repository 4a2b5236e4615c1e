import { expect, it } from "vitest";

import { MOST_AT_ONCE, NOTHING_PICKED, pickedOf, withPicked } from "./picking";
import type { Row } from "./rows";
import { aMemory, memoryId } from "@/testing/memories";

const row = (number: number): Row => ({ key: memoryId(number), importance: 5, memory: aMemory(number), edited: false });

it("picks one and takes it back", () => {
  const one = withPicked(NOTHING_PICKED, memoryId(1), true);
  expect([...one]).toEqual([memoryId(1)]);
  expect([...withPicked(one, memoryId(1), false)]).toEqual([]);
});

it("means what is further down than the list is loaded, and nothing that was forgotten or edited meanwhile", () => {
  const rows: Row[] = [row(4), { key: memoryId(3), importance: 5, operationId: "o" }, row(1)];
  const edited: Row = { key: memoryId(2), importance: 5, memory: aMemory(7), edited: true };
  const picked = new Set([1, 2, 3, 4, 7, 9].map(memoryId));
  expect(pickedOf([...rows, edited], picked)).toEqual([1, 4, 7, 9].map(memoryId));
});

it("never picks more than can go at once", () => {
  const most = new Set(Array.from({ length: MOST_AT_ONCE }, (_, index) => memoryId(index)));
  expect(withPicked(most, "one more", true)).toBe(most);
});
