import { expect, it } from "vitest";

import { piecesOf } from "./maskedPieces";

it("finds what was left out between the words", () => {
  expect(piecesOf("My PIN is [credential], my mail [email]")).toEqual([
    { words: "My PIN is " },
    { kind: "credential" },
    { words: ", my mail " },
    { kind: "email" },
  ]);
});

it("leaves other brackets as they were said", () => {
  expect(piecesOf("[1] and [note]")).toEqual([{ words: "[1] and [note]" }]);
});
