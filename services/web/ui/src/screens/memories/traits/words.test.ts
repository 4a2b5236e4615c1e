import { renderHook } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { began, isOverruled, useTraitWords, weightOf, whyOff } from "./words";
import { aTrait, supportedBy } from "@/testing/traits";

afterEach(() => i18next.changeLanguage("en"));

const wordsIn = async (language: string) => {
  await i18next.changeLanguage(language);
  return renderHook(() => useTraitWords()).result.current;
};
const tendency = { tendency: "Plans ahead", confidence: 0.6 };
const BELOW = { ...supportedBy(0), child_traits: ["a", "b", "c"] };

it.each([
  ["en", "Clearly · everywhere · from 7 messages in 4 chats since March 2020"],
  ["zh", "明确 · 各种场合 · 2020年3月以来，见于 4 次会话中的 7 条消息"],
])("describes in %s how sure it is, where it holds and what it comes from", async (language, line) => {
  expect((await wordsIn(language)).line(aTrait(1))).toBe(line);
});

it("counts as people do, and tells of what is below where nothing was observed of itself", async () => {
  const { from } = await wordsIn("en");
  expect(from(aTrait(1, { evidence: supportedBy(1), conversations: 1 }))).toBe(
    "from 1 message in 1 chat since March 2020",
  );
  const below = { evidence: BELOW, conversations: 0 };
  expect(from(aTrait(1, { ...below, trait_subtype: "preference" }))).toBe("from 3 of your habits since March 2020");
  expect(from(aTrait(1, { ...below, trait_subtype: "core" }))).toBe("from 3 of your preferences since March 2020");
  expect(from(aTrait(1, { evidence: supportedBy(0) }))).toBe("since March 2020");
});

it.each([
  ["en", ["Lately", "Forming, not used", "Perhaps", "Clearly", "Very sure"]],
  ["zh", ["近来", "初现（未使用）", "可能", "明确", "非常确定"]],
])("has a word in %s for every stage, and no number", async (language, expected) => {
  const { stage } = await wordsIn(language);
  const stages = ["trend", "candidate", "emerging", "established", "core"] as const;
  expect(stages.map(stage)).toEqual(expected);
});

it.each([
  ["en", {}, "everywhere"],
  ["en", { context: "work" }, "at work"],
  ["en", { context: "contextual", contexts: { work: tendency, personal: tendency } }, "at work and in private"],
  ["en", { context: "work", chosen_context: "work" }, "only at work"],
  ["en", { chosen_context: "general" }, "everywhere"],
  ["zh", { context: "social" }, "与人相处时"],
  ["zh", { context: "learning", chosen_context: "learning" }, "仅在学习时"],
] as const)("says in %s of %o where it holds", async (language, facts, expected) => {
  expect((await wordsIn(language)).where(aTrait(1, facts))).toBe(expected);
});

it("speaks the language that is shown, unless its person worded it", async () => {
  const { sentence } = await wordsIn("zh");
  expect(sentence(aTrait(1))).toBe("印象 1");
  expect(sentence(aTrait(1, { content: "I plan", wordings: null }))).toBe("I plan");
});

it.each([
  ["2026-11-03T12:00:00Z", "en", "November 3"],
  ["2026-03-03T12:00:00Z", "en", "March"],
  ["2025-11-03T12:00:00Z", "en", "November 2025"],
  ["2026-11-03T12:00:00Z", "zh-CN", "11月3日"],
  ["2026-03-03T12:00:00Z", "zh-CN", "三月"],
])("says of %s in %s when it began", (moment, locale, expected) => {
  expect(began(new Date(moment), new Date("2026-11-26T12:00:00Z"), locale)).toBe(expected);
});

it("knows what a piece of evidence weighs, in words", () => {
  const weights = [
    weightOf({ quality: "C", form: "told" }, true),
    weightOf({ quality: "C", form: "told" }, false),
    weightOf({ quality: "A", form: "told" }, false),
    weightOf({ quality: "B", form: "stated" }, true),
    weightOf({ quality: "D", form: "told" }, false),
    weightOf({ quality: "D", form: "signal" }, false),
    weightOf({ quality: null, form: "told" }, false),
  ];
  expect(weights).toEqual(["first", "elsewhere", "context", "stated", "again", "measured", undefined]);
});

it("is overruled only when it would be used", () => {
  expect(isOverruled({ used: false, trait_stage: "emerging" })).toBe(true);
  expect(isOverruled({ used: false, trait_stage: "candidate" })).toBe(false);
  expect(isOverruled({ used: true, trait_stage: "core" })).toBe(false);
});

it("names the switch that keeps traits from being used", () => {
  const on = { traits_enabled: true, longterm_enabled: true, injection_enabled: true };
  expect(whyOff(on)).toBeUndefined();
  expect(whyOff({ ...on, traits_enabled: false, longterm_enabled: false })).toBe("traits");
  expect(whyOff({ ...on, longterm_enabled: false })).toBe("longterm");
  expect(whyOff({ ...on, injection_enabled: false })).toBe("injection");
});
