import { describe, expect, it } from "vitest";

import { type Done, newerThan, pagesAround, rowsOf } from "./rows";
import { aMemory, memoryId } from "@/testing/memories";

const done = (...entries: [number, Done][]) => new Map(entries.map(([number, what]) => [memoryId(number), what]));
const edited = (number: number): Done => ({ kind: "edited", memory: aMemory(number) });
const forgotten = (undone = false): Done => ({ kind: "forgotten", operationId: "op", undone });
const list = (...numbers: number[]) => numbers.map((number) => aMemory(number));
const shown = (...args: Parameters<typeof rowsOf>) =>
  rowsOf(...args).map((row) => ("operationId" in row ? "forgotten" : row.memory.content));

describe("the places of the list", () => {
  it("are the memories, newest first, each once", () => {
    expect(shown(list(4, 3, 3, 2), new Map(), true)).toEqual(["Memory 4", "Memory 3", "Memory 2"]);
  });

  it("keep what was edited where it stood, whether the list knows of the edit or not", () => {
    const edits = done([3, edited(9)]);
    const expected = ["Memory 4", "Memory 9", "Memory 2"];
    expect(shown(list(4, 3, 2), edits, true)).toEqual(expected);
    expect(shown(list(9, 4, 2), edits, true)).toEqual(expected);
  });

  it("keep the key of a place whatever stands there, so that nothing loses the focus", () => {
    const keys = rowsOf(list(4, 2), done([3, edited(9)]), true).map(({ key }) => key);
    expect(keys).toEqual([memoryId(4), memoryId(3), memoryId(2)]);
  });

  it("follow several edits, and the forgetting of the last one", () => {
    expect(shown(list(4), done([3, edited(8)], [8, edited(9)]), true)).toEqual(["Memory 4", "Memory 9"]);
    expect(shown(list(4), done([3, edited(8)], [8, forgotten()]), true)).toEqual(["Memory 4", "forgotten"]);
    expect(shown(list(4), done([3, edited(8)], [8, forgotten(true)]), true)).toEqual(["Memory 4", "Memory 8"]);
  });

  it("leave a notice where something was forgotten, until it is really back after an undo", () => {
    expect(shown(list(4, 2), done([3, forgotten()]), true)).toEqual(["Memory 4", "forgotten", "Memory 2"]);
    expect(shown(list(4, 3, 2), done([3, forgotten()]), true)).toEqual(["Memory 4", "forgotten", "Memory 2"]);
    expect(shown(list(4, 2), done([3, forgotten(true)]), true)).toEqual(["Memory 4", "forgotten", "Memory 2"]);
    expect(shown(list(4, 3, 2), done([3, forgotten(true)]), true)).toEqual(["Memory 4", "Memory 3", "Memory 2"]);
  });

  it("do not show what is further down than the list is loaded", () => {
    expect(shown(list(9, 8), done([3, forgotten()]), false)).toEqual(["Memory 9", "Memory 8"]);
    expect(shown([], done([3, forgotten()]), true)).toEqual(["forgotten"]);
  });
});

describe("a list in another order", () => {
  const weighing = (number: number, importance: number) => aMemory(number, { importance });
  const places = (...args: Parameters<typeof rowsOf>) => rowsOf(...args).map(({ key }) => key);

  it("is kept in that order, with everybody's places", () => {
    const gone = done([3, { ...forgotten(), importance: 7 }]);
    expect(places(list(1, 2, 4), gone, true, "oldest")).toEqual([1, 2, 3, 4].map(memoryId));
    const byImportance = [weighing(2, 9), weighing(4, 7), weighing(1, 5)];
    expect(places(byImportance, gone, true, "importance")).toEqual([2, 4, 3, 1].map(memoryId));
  });

  it("does not show what is further down than the list is loaded", () => {
    expect(places(list(1, 2), done([3, forgotten()]), false, "oldest")).toEqual([1, 2].map(memoryId));
    expect(places([weighing(2, 9)], done([3, { ...forgotten(), importance: 7 }]), false, "importance")).toEqual([
      memoryId(2),
    ]);
  });
});

describe("what is new", () => {
  it("is neither in the list nor in somebody's place", () => {
    const newer = newerThan(list(9, 8, 7, 6), list(6), done([5, edited(8)], [7, forgotten()]));
    expect(newer.map(({ content }) => content)).toEqual(["Memory 9"]);
  });
});

describe("the pages on screen", () => {
  it("are those with a row between the first and the last", () => {
    expect(pagesAround([50, 50, 50], 0, 9)).toEqual([0]);
    expect(pagesAround([50, 50, 50], 48, 52)).toEqual([0, 1]);
    expect(pagesAround([50, 49, 50], 99, 120)).toEqual([2]);
    expect(pagesAround([], 0, 0)).toEqual([]);
  });
});
