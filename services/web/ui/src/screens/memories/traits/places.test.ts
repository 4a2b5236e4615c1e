import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";

import { placesOf, withoutPlace } from "./places";
import { usePlaces } from "./usePlaces";
import type { TraitOut } from "@/client";
import { aTrait, traitId } from "@/testing/traits";

const ids = (...numbers: number[]) => numbers.map(traitId);

it("stands on the shelf of its kind, the surest first, and what was seen last before what is as sure", () => {
  const traits = [
    aTrait(1, { confidence: 0.5 }),
    aTrait(2, { confidence: 0.9, trait_stage: "core" }),
    aTrait(3, { confidence: 0.5, last_reinforced: "2020-06-01T10:00:00Z" }),
    aTrait(4, { trait_subtype: "preference" }),
    aTrait(5, { trait_subtype: "core" }),
  ];
  expect(placesOf(traits)).toEqual({ core: ids(5), preference: ids(4), behavior: ids(2, 3, 1), forming: [] });
});

it("keeps apart what is not used yet, whatever its kind, and shows nothing that no longer holds", () => {
  const traits = [
    aTrait(1, { trait_stage: "trend", confidence: null }),
    aTrait(2, { trait_stage: "candidate", confidence: 0.2, trait_subtype: "preference" }),
    aTrait(3, { trait_stage: "dissolved", confidence: 0.05 }),
  ];
  const places = placesOf(traits);
  expect(places).toEqual({ core: [], preference: [], behavior: [], forming: ids(2, 1) });
  expect(withoutPlace(traits, places)).toBe(0);
});

it("moves nothing while somebody reads: what is new waits until it is asked for", () => {
  const shown = (traits: TraitOut[]) => ({ traits });
  const { result, rerender } = renderHook(({ traits }) => usePlaces(traits), {
    initialProps: shown([aTrait(1, { confidence: 0.6 }), aTrait(2, { confidence: 0.7 })]),
  });
  expect(result.current.places?.behavior).toEqual(ids(2, 1));
  rerender(shown([aTrait(3, { confidence: 0.8 }), aTrait(1, { confidence: 0.9 }), aTrait(2)]));
  expect(result.current.places?.behavior).toEqual(ids(2, 1));
  expect(result.current.newer).toBe(1);
  result.current.renew();
  rerender(shown([aTrait(3, { confidence: 0.8 }), aTrait(1, { confidence: 0.9 }), aTrait(2)]));
  expect(result.current.places?.behavior).toEqual(ids(1, 3, 2));
});

it("shows what is new at once where there was nothing", () => {
  const { result, rerender } = renderHook(({ traits }) => usePlaces(traits), {
    initialProps: { traits: [] as TraitOut[] },
  });
  rerender({ traits: [aTrait(1)] });
  expect(result.current.places?.behavior).toEqual(ids(1));
  expect(result.current.newer).toBe(0);
});
