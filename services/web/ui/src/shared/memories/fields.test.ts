import { expect, it } from "vitest";

import { changesOf, CONTENT_MAX, EMPTY, faultsOf, fieldsOf, memoryOf, weightOf, WEIGHTS } from "./fields";
import { aMemory } from "@/testing/memories";

it("sends only what is different", () => {
  const memory = aMemory(1, { content: "I live in Lima. ", importance: 6 });
  const fields = fieldsOf(memory);
  expect(changesOf(memory, fields)).toEqual({});
  expect(changesOf(memory, { ...fields, content: " I live in Quito." })).toEqual({ content: "I live in Quito." });
  expect(changesOf(memory, { ...fields, taboo: true, content_type: "fact" })).toEqual({
    taboo: true,
    content_type: "fact",
  });
});

it("leaves an importance as it is while its word is the same", () => {
  const memory = aMemory(1, { importance: 6 });
  expect(changesOf(memory, { ...fieldsOf(memory), weight: "normal" })).toEqual({});
  expect(changesOf(memory, { ...fieldsOf(memory), weight: "vital" })).toEqual({ importance: 10 });
});

it("moves a memory into a project, to another one, and out again", () => {
  const everywhere = aMemory(1);
  const alpha = aMemory(2, { scope: "project", project_id: "alpha" });
  expect(changesOf(everywhere, { ...fieldsOf(everywhere), inProject: true, project: "alpha" })).toEqual({
    scope: "project",
    project_id: "alpha",
  });
  expect(changesOf(alpha, { ...fieldsOf(alpha), project: "beta" })).toEqual({ scope: "project", project_id: "beta" });
  expect(changesOf(alpha, { ...fieldsOf(alpha), inProject: false })).toEqual({ scope: "global" });
});

it("a word for every importance, each of which comes back as itself", () => {
  expect([1, 3, 4, 7, 8, 9, 10].map(weightOf)).toEqual([
    "minor",
    "minor",
    "normal",
    "normal",
    "important",
    "important",
    "vital",
  ]);
  for (const weight of WEIGHTS) expect(weightOf(memoryOf({ ...EMPTY, weight }).importance ?? 0)).toBe(weight);
});

it("says what cannot be saved", () => {
  const content = "x";
  expect(faultsOf(EMPTY)).toEqual({ content: "empty" });
  expect(faultsOf({ ...EMPTY, content: " \n" })).toEqual({ content: "empty" });
  expect(faultsOf({ ...EMPTY, content: "字".repeat(CONTENT_MAX) })).toEqual({});
  expect(faultsOf({ ...EMPTY, content: "😀".repeat(CONTENT_MAX) })).toEqual({});
  expect(faultsOf({ ...EMPTY, content: "字".repeat(CONTENT_MAX + 1) })).toEqual({ content: "long" });
  expect(faultsOf({ ...EMPTY, content, inProject: true })).toEqual({ project: "empty" });
  expect(faultsOf({ ...EMPTY, content, inProject: true, project: "two words" })).toEqual({ project: "characters" });
  expect(faultsOf({ ...EMPTY, content, inProject: true, project: "周报-2" })).toEqual({});
});
