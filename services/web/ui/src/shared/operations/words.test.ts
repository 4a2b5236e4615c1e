import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { endWords, newsWords, operationTitle, reasonWords, soon, stateWords, titleOf } from "./words";
import { anOperation, aStep } from "@/testing/operations";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const WAITS = anOperation({
  steps: [
    aStep("milvus", {
      status: "ready",
      last_error: "milvus_unavailable: The search index could not be reached in time.",
      next_retry_at: "2026-11-22T12:00:04Z",
    }),
  ],
});

afterEach(() => i18next.changeLanguage("en"));

it.each([
  ["en", "Could not reach the search index. Trying again in 4 s"],
  ["zh", "暂时连不上检索库，4 秒后重试"],
])("says in %s why it waits and counts down", async (language, words) => {
  await i18next.changeLanguage(language);
  expect(stateWords(i18next.t, WAITS, NOW)).toBe(words);
});

it("says what has happened, not what was asked for", () => {
  const steps = [aStep("postgres", { status: "succeeded" }), aStep("milvus"), aStep("mem0")];
  expect(stateWords(i18next.t, anOperation({ steps }), NOW)).toContain("1 of 3 places");
  expect(titleOf(i18next.t, "forget_conversation", "working")).toBe("Forgetting a conversation");
  expect(titleOf(i18next.t, "forget_conversation", "done")).toBe("Forgot a conversation");
});

it.each([
  ["forget_message", { messages: 1, memories: 1, episodes: 1, erased: 3, residue: 0 }, "Forgot 1 message and 1 memory"],
  ["forget_message", {}, "Forgot a message"],
  ["forget_selection", { episodes: 2, erased: 2 }, "Forgot 2 earlier moments"],
  ["forget_conversation", { messages: 8, memories: 5 }, "Forgot a conversation: 8 messages and 5 memories"],
  [
    "forget_user",
    { messages: 2, feedback: 2, preference_signals: 1 },
    "Forgot everything: 2 messages and 2 pieces of feedback",
  ],
])("says how much went: %s %o", (type, counts, title) => {
  const steps = [aStep("ledger"), aStep("postgres", { counts })];
  expect(operationTitle(i18next.t, anOperation({ type, steps }), "done")).toBe(title);
});

it("says in Chinese how much went, and what came with an import", async () => {
  await i18next.changeLanguage("zh");
  expect(titleOf(i18next.t, "forget_message", "done", { messages: 1, memories: 1 })).toBe("已忘掉 1 条消息和 1 条记忆");
  const steps = [aStep("apply", { counts: { message: 3, memory: 2 } })];
  expect(operationTitle(i18next.t, anOperation({ type: "import", steps }), "done")).toBe("已导入 3 条消息和 2 条记忆");
});

const BY_NOON = {
  erased_at: "2026-11-22T11:00:00Z",
  purge_expected_at: "2026-11-22T12:56:40Z",
  status: "succeeded",
} as const;

it.each([
  ["en", "Deleted everywhere and checked. Leftover bytes on disk are overwritten by about "],
  ["zh", "已从所有存储删除并核实。磁盘上的残留字节预计在 "],
])(
  "says in %s about when the leftover bytes are overwritten, and nothing once that is late",
  async (language, words) => {
    await i18next.changeLanguage(language);
    expect(stateWords(i18next.t, anOperation(BY_NOON), NOW)).toContain(`${words}${soon("2026-11-22T13:00:00Z", NOW)}`);
    const late = Date.parse("2026-11-22T14:00:00Z");
    expect(stateWords(i18next.t, anOperation(BY_NOON), late)).toBe(i18next.t("operations:state.erased"));
  },
);

it("has words for what it does not know, and shows no code", () => {
  expect(reasonWords(i18next.t, "new_code: Something new.", null)).toBe("Something unexpected went wrong.");
  expect(titleOf(i18next.t, "cleanup_losses", "working")).toBe("Tidying up");
});

it("says of an export and an import what became of them, never that something was erased", () => {
  const packing = anOperation({ type: "export_user", receipt_id: null });
  const done = { ...packing, status: "succeeded" } as const;
  const stopped = { ...packing, status: "cancelled" } as const;
  expect(stateWords(i18next.t, packing, NOW)).toContain("packed");
  expect(stateWords(i18next.t, done, NOW)).toContain("Packed");
  expect(stateWords(i18next.t, stopped, NOW)).toContain("there is no package");
  expect(endWords(i18next.t, done, "done")).toBe("Ready to download");
  expect(newsWords(i18next.t, packing, NOW)).not.toContain("hidden");
  const failed = { ...anOperation({ type: "import" }), status: "failed" } as const;
  expect(stateWords(i18next.t, failed, NOW)).not.toContain("hidden");
  expect(stateWords(i18next.t, { ...failed, status: "succeeded" }, NOW)).toContain("Imported everything");
});
