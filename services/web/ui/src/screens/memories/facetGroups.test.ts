import i18next from "i18next";
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import { groupsOf } from "./facetGroups";
import { AT_FIRST } from "./filters";
import type { OverviewOut } from "@/client";
import { useMemoryWords } from "@/shared/memories/words";

const overview: OverviewOut = {
  memories: 5,
  conversations: 1,
  archived: 0,
  disabled: 2,
  confirmed: 0,
  waiting: 0,
  contradicted: 0,
  content_type: [
    { value: "preference", count: 3 },
    { value: "recipe_idea", count: 2 },
  ],
  scope: [{ value: "global", count: 5 }],
  project_id: [],
  origin: [{ value: "stated", count: 5 }],
  validity: [{ value: "active", count: 5 }],
  task: [{ value: "Berlin trip", count: 1, key: "0f" }],
};

const said = (filters = AT_FIRST) => {
  const { result } = renderHook(() => useMemoryWords());
  const groups = groupsOf(overview, filters, result.current, i18next.getFixedT(null, "memories"));
  return Object.fromEntries(
    groups.map(({ name, choices }) => [name, choices.map(({ label, count }) => `${label} ${String(count)}`)]),
  );
};

beforeEach(async () => {
  await i18next.changeLanguage("en");
});

it("offers what there is to choose between, with how many there are", () => {
  expect(said()).toEqual({
    standing: ["Current 5", "Paused 2"],
    type: ["Preference 3", "recipe idea 2"],
    task: ["Berlin trip 1"],
  });
});

it("keeps offering what is chosen when nothing of it is left", () => {
  expect(said({ validity: "active", archived: true })["standing"]).toEqual(["Current 5", "Paused 2", "Archived 0"]);
});

it("says it in Chinese", async () => {
  await i18next.changeLanguage("zh");
  expect(said()["standing"]).toEqual(["目前有效 5", "已暂停 2"]);
});
