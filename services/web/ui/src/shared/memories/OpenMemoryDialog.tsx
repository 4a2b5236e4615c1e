import { useState } from "react";

import type { MemoryDialogProps } from "./MemoryDialog";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";

const MemoryDialog = part(async () => ({ default: (await import("@/later")).MemoryDialog }));

/** The dialog to write or edit a memory, fetched when it is opened first. */
export function OpenMemoryDialog(props: MemoryDialogProps) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <OnDemand
      onFailed={() => {
        setWanted(false);
        props.onClose();
      }}
    >
      <MemoryDialog {...props} />
    </OnDemand>
  );
}
