import { useLayoutEffect, useRef } from "react";

import { Forgotten } from "../Forgotten";
import type { TraitActs } from "./acts";
import { TraitCard } from "./TraitCard";
import classes from "./traits.module.css";
import type { TraitOut } from "@/client";

export interface Standing {
  /** The traits as they are now, by id. */
  traits: ReadonlyMap<string, TraitOut>;
  /** Those that were forgotten just now, with the operation that does it. */
  gone: ReadonlyMap<string, string>;
  acts: TraitActs;
}

/** Traits in the order in which they stand; where one was forgotten just now, how far that is. */
export const TraitList = ({ ids, label, ...standing }: Standing & { ids: readonly string[]; label: string }) => (
  <ul className={classes.list} aria-labelledby={label}>
    {ids.map((id) => (
      <Place key={id} id={id} {...standing} />
    ))}
  </ul>
);

/** Whether anything stands in a place. */
export const isThere = ({ traits, gone }: Pick<Standing, "traits" | "gone">, id: string): boolean =>
  traits.has(id) || gone.has(id);

function Place({ id, traits, gone, acts }: Standing & { id: string }) {
  const place = useRef<HTMLLIElement>(null);
  const trait = traits.get(id);
  const operationId = gone.get(id);
  const isGone = operationId !== undefined;
  const wasGone = useRef(isGone);
  // Who undid it by the keyboard finds the trait where its notice was.
  useLayoutEffect(() => {
    if (isGone) wasGone.current = true;
    else if (wasGone.current && trait !== undefined) {
      wasGone.current = false;
      if (document.activeElement === document.body) place.current?.querySelector("button")?.focus();
    }
  }, [isGone, trait]);
  if (!isGone && trait === undefined) return null;
  return (
    <li ref={place}>
      {isGone ? (
        <Forgotten operationId={operationId} onUndone={acts.undone} />
      ) : (
        trait !== undefined && <TraitCard trait={trait} acts={acts} />
      )}
    </li>
  );
}
