import { expect, it } from "vitest";

import { AT_FIRST, chosenOf, type Filters, toggled, without } from "./filters";
import { fits } from "./useFound";
import { aMemory } from "@/testing/memories";

it("a facet is chosen, changed and taken back by pressing it again", () => {
  const notes = toggled(AT_FIRST, "content_type", "note");
  expect(notes).toEqual({ validity: "active", content_type: "note" });
  expect(toggled(notes, "content_type", "fact")).toEqual({ validity: "active", content_type: "fact" });
  expect(toggled(notes, "content_type", "note")).toEqual(AT_FIRST);
});

it("what everybody begins with is not counted as chosen", () => {
  expect(chosenOf(AT_FIRST)).toEqual([]);
  expect(chosenOf({ validity: "superseded", disabled: true })).toEqual(["validity", "disabled"]);
  expect(without({ validity: "active", scope: "global" }, "scope")).toEqual(AT_FIRST);
});

it("what was found is narrowed down as the list is", () => {
  const memory = aMemory(1, { content_type: "note", disabled: true });
  const cases: [Filters, boolean][] = [
    [{}, true],
    [AT_FIRST, true],
    [{ validity: "superseded" }, false],
    [{ content_type: "note", disabled: true }, true],
    [{ content_type: "fact" }, false],
    [{ disabled: false }, false],
    [{ project_id: "alpha" }, false],
  ];
  for (const [filters, expected] of cases) expect(fits(memory, filters), JSON.stringify(filters)).toBe(expected);
});
