import { expect, it } from "vitest";

import { FORGET_EVERYTHING, isPhrase } from "./phrase";
import en from "@/locales/en/data.json";
import zh from "@/locales/zh/data.json";

it.each(["FORGET EVERYTHING", "忘掉一切", " FORGET EVERYTHING "])("takes “%s”", (typed) => {
  expect(isPhrase(typed)).toBe(true);
});

it.each(["", "forget everything", "FORGET", "FORGET EVERYTHING!", "忘掉"])("does not take “%s”", (typed) => {
  expect(isPhrase(typed)).toBe(false);
});

it("is what the label asks for", () => {
  const labels = [en.everything.type, zh.everything.type];
  expect(labels.map((label, language) => label.includes(FORGET_EVERYTHING[language] ?? "?"))).toEqual([true, true]);
});
