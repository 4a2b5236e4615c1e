import { expect, it } from "vitest";

import { listed } from "./listed";

it.each([
  ["en", ["2 conversations", "1 summary", "8 memories"], "2 conversations, 1 summary, and 8 memories"],
  ["zh", ["1 份摘要", "8 条反馈"], "1 份摘要和 8 条反馈"],
  ["zh", ["2 个会话", "1 份摘要", "8 条反馈"], "2 个会话、1 份摘要和 8 条反馈"],
  ["zh", ["密码", "电子邮箱"], "密码和电子邮箱"],
  ["zh", ["8 条反馈"], "8 条反馈"],
])("lists words as %s is written: %j", (language, words, list) => {
  expect(listed(words, language)).toBe(list);
});
