import { expect, it } from "vitest";

import { addressOf, AT_FIRST, chosenOf, type Filters, filtersIn, sortIn, toggled, without } from "./filters";
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

it("an address says what the list is narrowed down to and how it is ordered, and reading it gives the same again", () => {
  const cases: [Filters, "newest" | "oldest" | "importance", string][] = [
    [AT_FIRST, "newest", ""],
    [{}, "newest", "?validity=any"],
    [{ validity: "superseded", disabled: true }, "oldest", "?validity=superseded&disabled=true&sort=oldest"],
    [
      { validity: "active", content_type: "note", archived: false },
      "importance",
      "?content_type=note&archived=false&sort=importance",
    ],
    [{ validity: "active", project_id: "项目-1:x" }, "newest", "?project_id=%E9%A1%B9%E7%9B%AE-1%3Ax"],
  ];
  for (const [filters, sort, address] of cases) {
    expect(addressOf(filters, sort)).toBe(address);
    expect(filtersIn(new URLSearchParams(address))).toEqual(filters);
    expect(sortIn(new URLSearchParams(address))).toBe(sort);
  }
});

it("what makes no sense in an address is left out", () => {
  const address = new URLSearchParams("?validity=maybe&disabled=1&task=secret&content_type=A B&sort=random&else=1");
  expect(filtersIn(address)).toEqual(AT_FIRST);
  expect(sortIn(address)).toBe("newest");
});
