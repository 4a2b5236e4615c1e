import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { endWords, newsWords, reasonWords, stateWords, titleOf } from "./words";
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
  expect(stateWords(i18next.t, anOperation({ steps }), NOW)).toContain("1 of 3 stores");
  expect(titleOf(i18next.t, "forget_conversation", "working")).toBe("Forgetting a conversation");
  expect(titleOf(i18next.t, "forget_conversation", "done")).toBe("Forgot a conversation");
});

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
  expect(stateWords(i18next.t, { ...failed, status: "succeeded" }, NOW)).toContain("Brought in");
});
