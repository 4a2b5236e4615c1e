import { useCallback, useMemo, useState } from "react";
import { useLocation } from "wouter";

import { MemoryParts } from "../MemoryParts";
import type { TraitActs } from "./acts";
import { EditTrait } from "./EditTrait";
import { Portrait } from "./Portrait";
import { useDecide } from "./useDecide";
import { useForgetTrait } from "./useForgetTraits";
import { WhyTrait } from "./why/WhyTrait";
import type { TraitOut } from "@/client";
import { Screen } from "@/shared/Screen";

const HERE = "/memories/traits";

/** What is inferred about a person, and what they say to it. */
export function Traits({ id }: { id: string | undefined }) {
  const [, navigate] = useLocation();
  const [edited, setEdited] = useState<TraitOut>();
  const [gone, setGone] = useState<ReadonlyMap<string, string>>(new Map());
  const decide = useDecide();
  const { mutate: forget } = useForgetTrait(
    useCallback(({ id: traitId }, operationId) => setGone((before) => new Map(before).set(traitId, operationId)), []),
  );
  const acts: TraitActs = useMemo(
    () => ({
      why: (trait) => navigate(`${HERE}/${trait.id}`),
      confirm: (trait, confirmed) => decide({ trait, body: { confirmed } }),
      confine: (trait, context) => decide({ trait, body: { context } }),
      edit: setEdited,
      forget,
      undone: (operationId) => setGone((before) => new Map([...before].filter(([, by]) => by !== operationId))),
    }),
    [navigate, decide, forget],
  );
  return (
    <Screen name="memories" width={1080}>
      <MemoryParts here="traits" />
      <Portrait gone={gone} acts={acts} />
      <WhyTrait id={id} acts={acts} onClose={() => navigate(HERE, { replace: true })} covered={edited !== undefined} />
      {edited !== undefined && <EditTrait trait={edited} onClose={() => setEdited(undefined)} />}
    </Screen>
  );
}
