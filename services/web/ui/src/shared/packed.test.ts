import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { packedIn } from "./packed";

afterEach(() => i18next.changeLanguage("en"));

const COUNTS = { memory: 1, message: 2, edge: 3, event: 4, settings: 1, bytes: 900, feedback: 1, preference_signal: 1 };

it("tells records by what people call them, in one order", () => {
  expect(packedIn(COUNTS, i18next.t)).toEqual(["2 messages", "1 memory", "2 pieces of feedback", "7 history entries"]);
});

it("tells them in Chinese too", async () => {
  await i18next.changeLanguage("zh");
  expect(packedIn({ message: 2, erased_message: 1 }, i18next.t)).toEqual(["2 条消息", "1 个遗忘标记"]);
});

it("does not keep quiet about what it has no word for", () => {
  expect(packedIn({ consent: 2, note: 1 }, i18next.t)).toEqual(["3 other entries"]);
  expect(packedIn({}, i18next.t)).toEqual([]);
});
