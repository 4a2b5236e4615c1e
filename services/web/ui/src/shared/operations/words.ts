import i18next, { type TFunction } from "i18next";

import {
  errorCode,
  isExport,
  isForget,
  isImport,
  secondsUntil,
  type Stage,
  stageOf,
  storesDone,
  stuckStep,
} from "./states";
import { localeOf } from "@/app/i18n";
import type { OperationOut, StepOut } from "@/client";
import { kindsIn } from "@/shared/forgetting/kinds";
import { listed } from "@/shared/listed";
import { packedIn } from "@/shared/packed";

type Counts = Readonly<Record<string, number>>;
type Words = Readonly<Record<string, (t: TFunction) => string>>;

const DOING: Words = {
  forget_message: (t) => t("operations:doing.forget_message"),
  forget_conversation: (t) => t("operations:doing.forget_conversation"),
  forget_selection: (t) => t("operations:doing.forget_selection"),
  forget_clear: (t) => t("operations:doing.forget_clear"),
  forget_user: (t) => t("operations:doing.forget_user"),
  export_user: (t) => t("operations:doing.export_user"),
  export_conversation: (t) => t("operations:doing.export_conversation"),
  export_selection: (t) => t("operations:doing.export_selection"),
  import: (t) => t("operations:doing.import"),
  consent_grant: (t) => t("operations:doing.consent_grant"),
  consent_revocation: (t) => t("operations:doing.consent_revocation"),
  context_block: (t) => t("operations:doing.context_block"),
  context_expiry: (t) => t("operations:doing.context_expiry"),
};

const DONE: Words = {
  forget_message: (t) => t("operations:done.forget_message"),
  forget_conversation: (t) => t("operations:done.forget_conversation"),
  forget_selection: (t) => t("operations:done.forget_selection"),
  forget_clear: (t) => t("operations:done.forget_clear"),
  forget_user: (t) => t("operations:done.forget_user"),
  export_user: (t) => t("operations:done.export_user"),
  export_conversation: (t) => t("operations:done.export_conversation"),
  export_selection: (t) => t("operations:done.export_selection"),
  import: (t) => t("operations:done.import"),
  consent_grant: (t) => t("operations:done.consent_grant"),
  consent_revocation: (t) => t("operations:done.consent_revocation"),
  context_block: (t) => t("operations:done.context_block"),
  context_expiry: (t) => t("operations:done.context_expiry"),
};

/** What was done, and to how much of what. */
const DONE_TO: Readonly<Record<string, (t: TFunction, what: string) => string>> = {
  forget_message: (t, what) => t("operations:doneTo.forget", { what }),
  forget_selection: (t, what) => t("operations:doneTo.forget", { what }),
  forget_conversation: (t, what) => t("operations:doneTo.forget_conversation", { what }),
  forget_clear: (t, what) => t("operations:doneTo.forget_clear", { what }),
  forget_user: (t, what) => t("operations:doneTo.forget_user", { what }),
  import: (t, what) => t("operations:doneTo.import", { what }),
};

const STEPS: Words = {
  ledger: (t) => t("operations:steps.ledger"),
  postgres: (t) => t("operations:steps.postgres"),
  milvus: (t) => t("operations:steps.milvus"),
  mem0: (t) => t("operations:steps.mem0"),
  files: (t) => t("operations:steps.files"),
  rederive: (t) => t("operations:steps.rederive"),
  verify: (t) => t("operations:steps.verify"),
  receipt: (t) => t("operations:steps.receipt"),
  package: (t) => t("operations:steps.package"),
  apply: (t) => t("operations:steps.apply"),
};

const ERRORS: Words = {
  milvus_unavailable: (t) => t("operations:errors.milvus_unavailable"),
  mem0_unavailable: (t) => t("operations:errors.mem0_unavailable"),
  embedder_unavailable: (t) => t("operations:errors.embedder_unavailable"),
  database_unavailable: (t) => t("operations:errors.database_unavailable"),
  model_unavailable: (t) => t("operations:errors.model_unavailable"),
  collection_busy: (t) => t("operations:errors.collection_busy"),
  store_misconfigured: (t) => t("operations:errors.store_misconfigured"),
  residue_found: (t) => t("operations:errors.residue_found"),
  waiting_for_writes: (t) => t("operations:errors.waiting_for_writes"),
  undo_possible: (t) => t("operations:errors.undo_possible"),
  ledger_unavailable: (t) => t("operations:errors.ledger_unavailable"),
  files_unavailable: (t) => t("operations:errors.files_unavailable"),
  replay_needed: (t) => t("operations:errors.replay_needed"),
  worker_lost: (t) => t("operations:errors.worker_lost"),
  write_given_up: (t) => t("operations:errors.write_given_up"),
};

/** What an operation does or, once it is over, did: of a forget and an import also how much, as `counts` have it. */
export function titleOf(t: TFunction, type: string, stage: Stage, counts: Counts = {}): string {
  const over = stage === "done" || stage === "gone";
  const what = over ? listed(type === "import" ? packedIn(counts, t) : goneIn(counts, t), i18next.language) : "";
  if (what !== "") {
    const told = DONE_TO[type]?.(t, what);
    if (told !== undefined) return told;
  }
  return (over ? DONE : DOING)[type]?.(t) ?? t(over ? "operations:done.other" : "operations:doing.other");
}

/** What an operation counted: of a forget the records that went, of an import those that came. */
export const countsOf = ({ steps }: Pick<OperationOut, "steps">): Counts =>
  steps.find(({ name }) => name === "postgres" || name === "apply")?.counts ?? {};

/** As `titleOf`, of a whole operation. */
export const operationTitle = (t: TFunction, operation: OperationOut, stage: Stage): string =>
  titleOf(t, operation.type, stage, countsOf(operation));

/** What people know of what went: messages, memories, traits and feedback; the rest only where there is nothing else to tell. */
function goneIn(counts: Counts, t: TFunction): string[] {
  const told = kindsIn(
    { postgres: pick(counts, ["messages", "memories", "traits", "feedback", "preference_signals"]) },
    t,
  );
  return told.length > 0 ? told : kindsIn({ postgres: { ...counts } }, t);
}

const pick = (counts: Counts, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => names.includes(name)));

/** An estimated moment in words, a little later rather than too early: the time today, else with its day. */
export function soon(at: string, now: number): string {
  const moment = new Date(Math.ceil(Date.parse(at) / ROUNDED_MILLISECONDS) * ROUNDED_MILLISECONDS);
  const today = moment.toDateString() === new Date(now).toDateString();
  const day = today ? {} : ({ day: "numeric", month: "short" } as const);
  return new Intl.DateTimeFormat(localeOf(i18next.language), { ...day, hour: "numeric", minute: "2-digit" }).format(
    moment,
  );
}

const ROUNDED_MILLISECONDS = 5 * 60_000;

/** A step's place in plain words. */
export const stepWords = (t: TFunction, name: string): string => STEPS[name]?.(t) ?? t("operations:steps.other");

/** Why something waits, without a full stop. */
export const errorWords = (t: TFunction, error: string | null): string =>
  ERRORS[errorCode(error) ?? ""]?.(t) ?? t("operations:errors.other");

/** Why something waits, and when it is tried again: `seconds` from now, 0 for just now, `null` when nobody knows. */
export function reasonWords(t: TFunction, error: string | null, seconds: number | null): string {
  const reason = errorWords(t, error);
  if (seconds === null) return t("operations:reason", { reason });
  return seconds > 0 ? t("operations:reasonAgain", { reason, seconds }) : t("operations:reasonNow", { reason });
}

const STEP_STATES: Record<StepOut["status"], (t: TFunction) => string> = {
  waiting: (t) => t("operations:stepStates.waiting"),
  ready: (t) => t("operations:stepStates.ready"),
  running: (t) => t("operations:stepStates.running"),
  succeeded: (t) => t("operations:stepStates.succeeded"),
  failed: (t) => t("operations:stepStates.failed"),
  cancelled: (t) => t("operations:stepStates.cancelled"),
};

/** How far a step is, for whoever cannot see its sign. */
export const stepStateWords = (t: TFunction, { status }: StepOut): string => STEP_STATES[status](t);

/** How far an operation is at `now`, in one sentence about what has happened. */
export function stateWords(t: TFunction, operation: OperationOut, now: number): string {
  const stuck = stuckStep(operation);
  switch (stageOf(operation, now)) {
    case "undoable":
      return t("operations:state.undoable", { seconds: secondsUntil(operation.not_before, now) });
    case "working":
      return isForget(operation) ? t("operations:state.erasing", storesDone(operation)) : workingWords(t, operation);
    case "waiting": {
      const at = stuck?.next_retry_at ?? null;
      return reasonWords(t, stuck?.last_error ?? null, at === null ? null : secondsUntil(at, now));
    }
    case "failed": {
      const reason = errorWords(t, stuck?.last_error ?? operation.last_error);
      return isForget(operation) ? t("operations:state.failed", { reason }) : t("operations:state.stopped", { reason });
    }
    case "undone":
      return cancelledWords(t, operation);
    case "done":
      return doneWords(t, operation, now);
    case "gone":
      return t("operations:state.gone");
  }
}

function workingWords(t: TFunction, operation: OperationOut): string {
  if (isExport(operation)) return t("operations:state.packing");
  return isImport(operation) ? t("operations:state.importing") : t("operations:state.working");
}

/** A forget is cancelled by its person; an export and an import when something in them is forgotten. */
function cancelledWords(t: TFunction, operation: OperationOut): string {
  if (isExport(operation)) return t("operations:state.exportWithdrawn");
  return isImport(operation) ? t("operations:state.importWithdrawn") : t("operations:state.undone");
}

/** That it is deleted, and what becomes of the bytes on the disk. */
function erasedWords(t: TFunction, { purge_expected_at: at }: OperationOut, now: number): string {
  if (at == null || Date.parse(at) <= now) return t("operations:state.erased");
  return t("operations:state.erasedBy", { time: soon(at, now) });
}

function doneWords(t: TFunction, operation: OperationOut, now: number): string {
  if (isForget(operation)) return erasedWords(t, operation, now);
  if (isExport(operation)) return t("operations:state.packed");
  return isImport(operation) ? t("operations:state.imported") : t("operations:state.done");
}

/** How an operation ended, in a few words; `null` while it goes on. */
export function endWords(t: TFunction, operation: OperationOut, stage: Stage): string | null {
  if (stage === "undone") return isForget(operation) ? t("operations:bar.undone") : t("operations:bar.withdrawn");
  if (stage !== "done" && stage !== "gone") return null;
  if (isForget(operation)) return t("operations:bar.erased");
  if (isExport(operation)) return t("operations:bar.packed");
  return isImport(operation) ? t("operations:state.imported") : t("operations:state.done");
}

/** What is read aloud of an operation: its name and its latest news, never a countdown. */
export function newsWords(t: TFunction, operation: OperationOut, now: number): string {
  const stage = stageOf(operation, now);
  const stuck = stage === "waiting" || stage === "failed" ? stuckStep(operation) : undefined;
  const going = isForget(operation) ? t("operations:bar.hidden") : workingWords(t, operation);
  const news = stuck === undefined ? going : errorWords(t, stuck.last_error);
  return `${operationTitle(t, operation, stage)}: ${endWords(t, operation, stage) ?? news}`;
}
