import i18next from "i18next";
import { afterEach, expect, it } from "vitest";

import { grewBy } from "./grew";
import { anEvent } from "@/testing/traits";

afterEach(() => i18next.changeLanguage("en"));

const wordsOf = (events: Parameters<typeof grewBy>[0]) =>
  grewBy(events, i18next.getFixedT(null, "traits")).map(({ changes }) => changes.map(({ words }) => words));

const EVENTS = [
  anEvent("TraitObserved", "2026-03-10T10:00:00Z", { stage: null }),
  anEvent("TraitReinforced", "2026-03-10T10:00:00Z", { grade: "C" }),
  anEvent("TraitReinforced", "2026-03-10T10:00:00Z", { grade: "A" }),
  anEvent("TraitReinforced", "2026-03-10T10:00:00Z", { grade: "D" }),
  anEvent("TraitPromoted", "2026-03-10T10:00:00Z", { stage: "emerging" }),
  anEvent("TraitReinforced", "2026-05-02T10:00:00Z", { grade: "B" }),
  anEvent("TraitContradicted", "2026-05-02T10:00:00Z", { pieces: 2 }),
  anEvent("TraitDissolved", "2026-06-02T10:00:00Z"),
];

it("tells day by day how it grew, and counts what happened again", () => {
  expect(wordsOf(EVENTS)).toEqual([
    ["Noticed as a pattern", "Seen 3 times", "Became surer: Perhaps"],
    ["Seen once", "2 things spoke against it"],
    ["No longer held"],
  ]);
});

it("tells it in Chinese", async () => {
  await i18next.changeLanguage("zh");
  expect(wordsOf(EVENTS)[0]).toEqual(["看出规律", "看到 3 次", "更确定了：可能"]);
});

it("tells what its person decided in the order of time, and has words for what nobody knows yet", () => {
  const events = [
    anEvent("TraitConfirmed", "2026-05-03T10:00:00Z", { confirmed: false }),
    anEvent("TraitConfirmed", "2026-05-01T10:00:00Z", { confirmed: true }),
    anEvent("TraitConfined", "2026-05-02T10:00:00Z", { context: "work" }),
    anEvent("TraitTransmuted", "2026-05-04T10:00:00Z"),
  ];
  expect(wordsOf(events).flat()).toEqual([
    "You said that it is right",
    "You said where it holds: at work",
    "You took your confirmation back",
    "Something else happened",
  ]);
});
