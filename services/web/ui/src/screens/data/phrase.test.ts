import { expect, it } from "vitest";

import { isPhrase } from "./phrase";

it.each(["FORGET EVERYTHING", "忘掉一切", " FORGET EVERYTHING "])("takes “%s”", (typed) => {
  expect(isPhrase(typed)).toBe(true);
});

it.each(["", "forget everything", "FORGET", "FORGET EVERYTHING!", "忘掉"])("does not take “%s”", (typed) => {
  expect(isPhrase(typed)).toBe(false);
});
