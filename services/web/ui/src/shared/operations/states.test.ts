import { describe, expect, it } from "vitest";

import { errorCode, secondsUntil, stageOf, storesDone, stuckStep } from "./states";
import { anOperation, aStep } from "@/testing/operations";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const LATER = "2026-11-22T12:00:06.400Z";

describe("the stage of an operation", () => {
  it.each([
    ["undoable", anOperation({ status: "pending", not_before: LATER })],
    ["working", anOperation({ status: "pending", not_before: "2026-11-22T11:59:59Z" })],
    ["working", anOperation()],
    ["waiting", anOperation({ steps: [aStep("milvus", { status: "ready", last_error: "milvus_unavailable: …" })] })],
    ["failed", anOperation({ status: "failed" })],
    ["undone", anOperation({ status: "cancelled", not_before: LATER })],
    ["done", anOperation({ status: "succeeded", erased_at: LATER })],
    ["gone", anOperation({ status: "succeeded", erased_at: LATER, purged_at: LATER })],
  ] as const)("is %s", (stage, operation) => {
    expect(stageOf(operation, NOW)).toBe(stage);
  });

  it("is not waiting for an error that was overcome", () => {
    const step = aStep("milvus", { status: "succeeded", last_error: "milvus_unavailable: …" });
    expect(stageOf(anOperation({ steps: [step] }), NOW)).toBe("working");
  });
});

it("names the failed step before one that only waits", () => {
  const waits = aStep("mem0", { status: "ready", last_error: "mem0_unavailable: …" });
  const failed = aStep("milvus", { status: "failed", last_error: "store_misconfigured: …" });
  expect(stuckStep(anOperation({ steps: [waits, failed] }))).toBe(failed);
});

it("counts stores only, not the steps around them", () => {
  const steps = ["ledger", "postgres", "milvus", "mem0", "files", "verify"].map((name) => aStep(name));
  steps[0] = aStep("ledger", { status: "succeeded" });
  steps[1] = aStep("postgres", { status: "succeeded" });
  expect(storesDone(anOperation({ steps }))).toEqual({ done: 1, all: 4 });
});

it("counts down whole seconds and never below none", () => {
  expect(secondsUntil(LATER, NOW)).toBe(7);
  expect(secondsUntil(LATER, NOW + 60_000)).toBe(0);
  expect(secondsUntil(null, NOW)).toBe(0);
});

it("reads the code of an error, not its sentence", () => {
  expect(errorCode("residue_found: Copies: many")).toBe("residue_found");
  expect(errorCode(null)).toBeNull();
});
