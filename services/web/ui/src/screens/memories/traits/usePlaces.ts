import { useCallback, useState } from "react";

import { type Places, placesOf, withoutPlace } from "./places";
import type { TraitOut } from "@/client";

/**
 * Where each trait stands. What is there stays where it is while a person reads, whatever becomes of it; what is new
 * waits until it is asked for, unless there was nothing before.
 */
export function usePlaces(traits: readonly TraitOut[] | undefined) {
  const [places, setPlaces] = useState<Places>();
  const empty = places !== undefined && Object.values(places).every((ids) => ids.length === 0);
  const newer = traits === undefined || places === undefined ? 0 : withoutPlace(traits, places);
  if (traits !== undefined && (places === undefined || (empty && newer > 0))) setPlaces(placesOf(traits));
  const renew = useCallback(() => setPlaces(undefined), []);
  return { places, newer, renew };
}
