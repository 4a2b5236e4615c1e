import type { OperationOut, StepOut } from "@/client";

/** A step that nobody has begun. */
export const aStep = (name: string, facts: Partial<StepOut> = {}): StepOut => ({
  name,
  status: "waiting",
  attempts: 0,
  counts: {},
  last_error: null,
  next_retry_at: null,
  started_at: null,
  finished_at: null,
  ...facts,
});

/** A forget of a conversation that runs. */
export const anOperation = (facts: Partial<OperationOut> = {}): OperationOut => ({
  id: "01a20340-0000-7000-8000-000000000001",
  type: "forget_conversation",
  scope: "conversation",
  status: "running",
  progress: 0.25,
  retry_count: 0,
  last_error: null,
  receipt_id: "0eaf4957-8889-477e-bf06-685f06cabb45",
  unrecallable_at: "2026-11-22T12:00:00Z",
  erased_at: null,
  purged_at: null,
  not_before: null,
  version: 1,
  created_at: "2026-11-22T12:00:00Z",
  updated_at: "2026-11-22T12:00:00Z",
  steps: [aStep("ledger", { status: "succeeded" }), aStep("postgres", { status: "running" }), aStep("milvus")],
  ...facts,
});
