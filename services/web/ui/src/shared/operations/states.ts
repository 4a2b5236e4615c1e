import type { OperationOut, StepOut } from "@/client";

/** What forgetting reaches, in this order, when its proof has what it needs. */
export const STORES: readonly string[] = ["postgres", "milvus", "mem0", "files"];

/** How far an operation is, as a person would say it. */
export type Stage = "undoable" | "working" | "waiting" | "failed" | "undone" | "done" | "gone";

/** The stage of an operation at `now`. */
export function stageOf(operation: OperationOut, now: number): Stage {
  if (operation.status === "cancelled") return "undone";
  if (operation.status === "failed") return "failed";
  if (operation.status === "succeeded") return operation.purged_at === null ? "done" : "gone";
  if (secondsUntil(operation.not_before, now) > 0) return "undoable";
  return stuckStep(operation) === undefined ? "working" : "waiting";
}

export const isRunning = ({ status }: OperationOut): boolean => status === "pending" || status === "running";

/** Whether it takes something away, so that the three milestones mean something for it. */
export const isForget = ({ type }: { type: string }): boolean =>
  type.startsWith("forget_") || type === "consent_revocation" || type === "context_expiry";

/** Whether it makes a package to take along. */
export const isExport = ({ type }: { type: string }): boolean => type.startsWith("export_");

/** Whether it brings a package in. */
export const isImport = ({ type }: { type: string }): boolean => type === "import";

/** The step that could not be done at the last attempt; a failed one first. */
export function stuckStep({ steps }: OperationOut): StepOut | undefined {
  const stuck = steps.filter(({ status, last_error }) => last_error !== null && status !== "succeeded");
  return stuck.find(({ status }) => status === "failed") ?? stuck[0];
}

/** The code in front of an error's sentence; `null` when there is none. */
export const errorCode = (error: string | null): string | null => error?.split(":", 1)[0] ?? null;

/** Whole seconds from `now` until a moment, never negative; 0 for none. */
export const secondsUntil = (moment: string | null, now: number): number =>
  moment === null ? 0 : Math.max(0, Math.ceil((Date.parse(moment) - now) / 1000));

/** In how many of the stores nothing is left, and how many there are. */
export function storesDone({ steps }: OperationOut): { done: number; all: number } {
  const stores = steps.filter(({ name }) => STORES.includes(name));
  return { done: stores.filter(({ status }) => status === "succeeded").length, all: stores.length };
}
