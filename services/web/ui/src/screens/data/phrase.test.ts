import { expect, it } from "vitest";

import { EXPORT_EVERYTHING, FORGET_EVERYTHING, isPhrase } from "./phrase";
import en from "@/locales/en/data.json";
import zh from "@/locales/zh/data.json";

it.each(["FORGET EVERYTHING", "忘掉一切", " FORGET EVERYTHING "])("takes “%s”", (typed) => {
  expect(isPhrase(typed, FORGET_EVERYTHING)).toBe(true);
});

it.each(["", "forget everything", "FORGET", "FORGET EVERYTHING!", "忘掉", "EXPORT EVERYTHING", "导出全部"])(
  "does not take “%s”",
  (typed) => {
    expect(isPhrase(typed, FORGET_EVERYTHING)).toBe(false);
  },
);

it("is another one for what leaves than for what goes", () => {
  expect(EXPORT_EVERYTHING.filter((typed) => isPhrase(typed, FORGET_EVERYTHING))).toEqual([]);
});

it.each([
  [FORGET_EVERYTHING, [en.everything.type, zh.everything.type]],
  [EXPORT_EVERYTHING, [en.confirm.type, zh.confirm.type]],
])("is what the label asks for: %s", (phrase, labels) => {
  expect(labels.map((label, language) => label.includes(phrase[language] ?? "?"))).toEqual([true, true]);
});
