import { describe, expect, it } from "vitest";

import { piecesOf, sourcesOf, withoutUnfinishedCitation, wordsOf } from "./citations";

const A = "01a20331-754e-70cc-b68c-8f062c4e4e5b";
const B = "01a20331-75b9-7125-a393-38a3988bea3d";

describe("what an answer cites", () => {
  it("is numbered in the order of its first mention", () => {
    const answer = `Lisbon [Memory#${B}]. Peanuts [Memory#${A}]! Lisbon again.[Memory#${B}]`;
    expect(piecesOf(answer)).toEqual([
      { words: "Lisbon" },
      { sources: [{ id: B, number: 1 }] },
      { words: ". Peanuts" },
      { sources: [{ id: A, number: 2 }] },
      { words: "! Lisbon again." },
      { sources: [{ id: B, number: 1 }] },
    ]);
    expect(sourcesOf(answer)).toEqual([
      { id: B, number: 1 },
      { id: A, number: 2 },
    ]);
  });

  it("may stand several to a bracket, or without any", () => {
    expect(piecesOf(`你住在里斯本。[Memory#${A}、Memory#${B}]`)).toEqual([
      { words: "你住在里斯本。" },
      {
        sources: [
          { id: A, number: 1 },
          { id: B, number: 2 },
        ],
      },
    ]);
    expect(sourcesOf(`as Memory#${A} says`)).toEqual([{ id: A, number: 1 }]);
  });

  it("leaves other brackets alone", () => {
    const answer = "See [Memory] and [Memory#1] and a[0].";
    expect(piecesOf(answer)).toEqual([{ words: answer }]);
  });

  it("is left out of what is copied", () => {
    expect(wordsOf(`You live in Lisbon. [Memory#${A}] Yes.`)).toBe("You live in Lisbon. Yes.");
  });
});

describe("an answer on its way", () => {
  it.each([..."[Memory#01a20331"].map((_, index) => "[Memory#01a20331".slice(0, index + 1)))(
    "does not show %s yet",
    (tail) => expect(withoutUnfinishedCitation(`Lisbon. ${tail}`)).toBe("Lisbon."),
  );

  it("shows what is whole, and brackets that are none", () => {
    expect(withoutUnfinishedCitation(`Lisbon. [Memory#${A}]`)).toBe(`Lisbon. [Memory#${A}]`);
    expect(withoutUnfinishedCitation("Lisbon [a city")).toBe("Lisbon [a city");
  });
});
