import { renderHook } from "@testing-library/react";
import i18next from "i18next";
import { expect, it } from "vitest";

import { learnedBy, standingOf, useMemoryWords } from "./words";
import { aMemory, aSource } from "@/testing/memories";

it.each([
  [{ origin: "stated", method: "person" }, "written"],
  [{ origin: "extracted", method: "person" }, "written"],
  [{ origin: "stated", method: "rules" }, "asked"],
  [{ origin: "extracted", method: "model:gpt" }, "noticed"],
  [{ origin: "learned", method: "feedback" }, "feedback"],
  [{ origin: "imported", method: "import" }, "imported"],
  [{ origin: "imported", method: null }, "imported"],
])("%o was %s", (memory, expected) => {
  expect(learnedBy(memory)).toBe(expected);
});

it("says what keeps a memory from being used first", () => {
  const states = [{}, { validity: "contradicted" }, { archived: true }, { disabled: true }, { validity: "superseded" }];
  const all = { validity: "active", disabled: false, archived: false } as const;
  expect(states.map((state) => standingOf({ ...all, ...state } as typeof all))).toEqual([
    "active",
    "contradicted",
    "archived",
    "paused",
    "superseded",
  ]);
  expect(standingOf({ validity: "superseded", disabled: true, archived: true })).toBe("superseded");
});

it.each([
  ["en", "Preference · everywhere · noticed in 3 messages", "Recipe · only in project alpha · written by you"],
  ["zh", "偏好 · 通用 · 从 3 条消息中得知", "Recipe · 仅限项目「alpha」 · 你自己写的"],
])("describes a memory in %s", async (language, noticed, written) => {
  await i18next.changeLanguage(language);
  const { result } = renderHook(() => useMemoryWords());
  const sources = [aSource(), aSource(), aSource()];
  expect(result.current.line(aMemory(1, { sources }))).toBe(noticed);
  const mine = { content_type: "Recipe", project_id: "alpha", origin: "stated", method: "person", sources: [] };
  expect(result.current.line(aMemory(2, mine))).toBe(written);
});
