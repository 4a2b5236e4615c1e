import i18next from "i18next";
import { expect, it } from "vitest";

import { eventWords } from "./History";
import { relatedTo } from "./Wordings";
import type { ExplanationOut, LivedOut } from "@/client";
import { aMemory } from "@/testing/memories";

const memory = (number: number) => ({ ...aMemory(number), evidence: [], judgements: [] });
const event = (type: string, data: LivedOut["data"] = {}): LivedOut => ({
  memory_id: "m",
  type,
  data,
  version: 1,
  actor: "person",
  at: "2026-05-12T10:00:00Z",
});

it("tells what came before and after, and what stands against it", () => {
  const explanation: Omit<ExplanationOut, "effect"> = {
    memory: memory(2),
    chain: [memory(1), memory(2), memory(3)],
    edited_from: [],
    contradicts: aMemory(4),
    contradicted_by: [aMemory(5)],
  };
  const related = relatedTo(explanation as ExplanationOut);
  expect(related.map(({ memory, relation }) => [memory.content, relation])).toEqual([
    ["Memory 1", "earlier"],
    ["Memory 3", "later"],
    ["Memory 4", "contradicts"],
    ["Memory 5", "contradictedBy"],
  ]);
});

it("has words for every event, and for those nobody knows yet", async () => {
  await i18next.changeLanguage("en");
  const t = i18next.getFixedT(null, "memories");
  const said = (type: string, data?: LivedOut["data"]) => eventWords(event(type, data), t);
  expect(said("MemoryLearned", { supersedes: null })).toBe("Learned");
  expect(said("MemoryLearned", { supersedes: "x" })).toBe("Replaced the earlier wording");
  expect(said("MemoryResolved", { supersedes: null })).toBe("Contradiction decided: both are true");
  expect(said("MemoryResolved", { supersedes: "x" })).not.toBe(said("MemoryResolved", { supersedes: null }));
  expect(said("MemoryTransmuted")).toBe("Something else happened");
});
