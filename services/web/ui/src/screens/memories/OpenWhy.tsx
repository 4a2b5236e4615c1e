import { useState } from "react";

import type { Acts } from "./acts";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";

const Why = part(async () => ({ default: (await import("@/later")).Why }));

interface Props {
  /** The memory that is explained; undefined: nothing is. */
  id: string | undefined;
  acts: Acts;
  onClose: () => void;
  /** A dialog is open over it. */
  covered: boolean;
}

/** The drawer that explains a memory, once one was asked about. */
export function OpenWhy(props: Props) {
  const [wanted, setWanted] = useState(props.id !== undefined);
  if (props.id !== undefined && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <OnDemand
      onFailed={() => {
        setWanted(false);
        props.onClose();
      }}
    >
      <Why {...props} />
    </OnDemand>
  );
}
