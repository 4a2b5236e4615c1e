import { afterEach, beforeEach, expect, it } from "vitest";

import { LIST_OF } from "./firstReads";
import { drawFirstRows, TITLES } from "./firstRows";
import en from "@/locales/en/common.json";
import zh from "@/locales/zh/common.json";
import { aMemory } from "@/testing/memories";

beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  window.firstReads = undefined;
  document.body.innerHTML = "";
});

const answered = (body: unknown, status = 200) => {
  window.firstReads = new Map([[LIST_OF["memories"] ?? "", Promise.resolve(Response.json(body, { status }))]]);
};
const rows = () => [...document.querySelectorAll("article")].map(({ textContent }) => textContent);

it("shows what is remembered before the app is there, and leaves the answer to the app", async () => {
  answered([aMemory(2), aMemory(1, { content: "<b>not markup</b>" })]);
  await drawFirstRows("memories");
  expect(rows()).toEqual(["Memory 2", "<b>not markup</b>"]);
  const early = await window.firstReads?.get(LIST_OF["memories"] ?? "");
  expect(await early?.json()).toHaveLength(2);
});

it("shows nothing when nothing is remembered, nobody is signed in, or the app is there already", async () => {
  answered([]);
  await drawFirstRows("memories");
  answered({ code: "credentials_missing" }, 401);
  await drawFirstRows("memories");
  answered([aMemory(1)]);
  await drawFirstRows("settings");
  document.getElementById("root")?.append(document.createElement("main"));
  await drawFirstRows("memories");
  expect(rows()).toEqual([]);
});

it("calls the screen what the app calls it", () => {
  expect(TITLES).toEqual({ en: en.places.memories.long, zh: zh.places.memories.long });
});
