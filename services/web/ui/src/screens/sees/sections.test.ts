import { expect, test } from "vitest";

import { leftOutByReason, nearness, sectionsOf, trouble } from "./sections";
import type { GivenOut, LeftOutOut } from "@/client";

const given = (id: string, layer: GivenOut["layer"], kind: GivenOut["kind"] = "memory"): GivenOut => ({
  id,
  kind,
  layer,
  type: "fact",
  level: null,
  stage: null,
  scope: "global",
  project_id: null,
  task_hint: null,
  superseded: false,
  name: null,
  content: id,
  provenance: {
    session_id: null,
    session: null,
    turn: null,
    message_ids: [],
    covers: null,
    at: "2026-05-12T10:00:00Z",
  },
  score: null,
  reason: "",
  reason_code: "safety",
  tokens: 3,
});

const left = (id: string, reason_code: LeftOutOut["reason_code"]): LeftOutOut => ({
  id,
  kind: "memory",
  type: "fact",
  reason: "",
  reason_code,
  instead: null,
});

test("the parts stand in the order of the prompt, and empty ones are not shown", () => {
  const items = [
    given("a", "stable"),
    given("b", "stable"),
    given("c", "immediate", "summary"),
    given("d", "retrieved"),
    given("e", "retrieved", "episode"),
  ];
  const parts = sectionsOf({ items, window: [given("f", "immediate", "message")] });
  expect(parts.map(({ part, items: here }) => [part, here.map(({ id }) => id).join("")])).toEqual([
    ["stable", "ab"],
    ["summary", "c"],
    ["retrieved", "de"],
    ["window", "f"],
  ]);
  expect(sectionsOf({ items: [], window: [] })).toEqual([]);
});

test("what is left out is grouped by why, most first", () => {
  const groups = leftOutByReason([left("a", "paused"), left("b", "budget"), left("c", "budget")]);
  expect(groups.map(([why, ones]) => [why, ones.map(({ id }) => id)])).toEqual([
    ["budget", ["b", "c"]],
    ["paused", ["a"]],
  ]);
});

test("parts of a score that say nothing are not shown, and the largest fills its bar", () => {
  expect(nearness({ lexical: 0, recency: 0.05, semantic: 0.2, task: 0 })).toEqual([
    { name: "semantic", value: 0.2, share: 1 },
    { name: "recency", value: 0.05, share: 0.25 },
  ]);
  expect(nearness({ lexical: 0 })).toEqual([]);
});

test("a fixed order is a trouble only when a part of the installation is missing", () => {
  const diagnosed = (...reasons: ("empty_query" | "milvus_unavailable")[]) => ({
    diagnostics: { reasons, sentences: [] },
  });
  expect(trouble(diagnosed("empty_query"))).toBeUndefined();
  expect(trouble(diagnosed("empty_query", "milvus_unavailable"))).toBe("milvus_unavailable");
});
