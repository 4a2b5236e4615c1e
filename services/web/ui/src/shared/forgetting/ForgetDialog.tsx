import type { Target } from "./target";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";
import { useFocusBack } from "@/shared/useFocusBack";

const ConsequencesDialog = part(async () => ({ default: (await import("@/later")).ConsequencesDialog }));

export interface ForgetDialogProps {
  /** What would be forgotten; `null` while the dialog is closed. */
  target: Target | null;
  onClose: () => void;
  /** It was accepted: from now on nothing of it is served. */
  onForgotten?: (operationId: string) => void;
  /**
   * For so long it can be undone: the dialog closes, and a toast offers that. Otherwise it stays open and shows how the
   * erasure goes on.
   */
  undoSeconds?: number;
  /** A selection is not what it was when it was found: find again. */
  onChanged?: () => void;
}

/** Says what forgetting something takes along, does it, and shows how far it is; the focus goes back where it was. */
export function ForgetDialog({ target, ...events }: ForgetDialogProps) {
  useFocusBack(target !== null);
  if (target === null) return null;
  return (
    <OnDemand onFailed={events.onClose}>
      <ConsequencesDialog target={target} {...events} />
    </OnDemand>
  );
}
