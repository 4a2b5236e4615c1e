import { expect, it } from "vitest";

import { piecesOf } from "./fragments";

const part = (content: string, text: string) => {
  const characters = Array.from(content);
  const start =
    characters.join("").indexOf(text) === -1 ? -1 : Array.from(content.slice(0, content.indexOf(text))).length;
  return { start, end: start + Array.from(text).length, text };
};
const going = (content: string, ...texts: string[]) =>
  piecesOf(
    content,
    texts.map((text) => part(content, text)),
  )
    .filter(({ goes }) => goes)
    .map(({ text }) => text);

it("takes all of a text without parts", () => {
  expect(piecesOf("All of it.", null)).toEqual([{ text: "All of it.", goes: true }]);
});

it("marks what goes and keeps the order", () => {
  const content = "We have 1,400 euros, and Frank pays half. I like quiet hotels.";
  expect(piecesOf(content, [part(content, ", and Frank pays half")])).toEqual([
    { text: "We have 1,400 euros", goes: false },
    { text: ", and Frank pays half", goes: true },
    { text: ". I like quiet hotels.", goes: false },
  ]);
});

it("counts characters as the server does, emoji and all", () => {
  expect(going("🏔️👍 我喜欢爬山，弗兰克住在杭州。", "弗兰克住在杭州")).toEqual(["弗兰克住在杭州"]);
});

it("shortens a long text to what stands around", () => {
  const content = `${"before ".repeat(200)}Frank${" between".repeat(200)}Frank${" after".repeat(200)}`;
  const first = part(content, "Frank");
  const second = { start: content.lastIndexOf("Frank"), end: content.lastIndexOf("Frank") + 5, text: "Frank" };
  const pieces = piecesOf(content, [first, second]);
  expect(pieces.map(({ goes }) => goes)).toEqual([false, true, false, true, false]);
  expect(pieces.every(({ text }) => text.length <= 121)).toBe(true);
  expect(pieces[0]?.text).toMatch(/^…/);
  expect(pieces[2]?.text).toMatch(/^ between.*….*between$/);
  expect(pieces[4]?.text).toMatch(/…$/);
});
