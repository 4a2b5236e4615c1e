import { createContext, type ReactNode, use, useCallback, useState } from "react";

import { ForgetDialog, type ForgetDialogProps } from "./ForgetDialog";
import type { Target } from "./target";
import { useLeaveConversation } from "./useLeaveConversation";

/** What would be forgotten, and who wants to hear of it. */
export interface ForgetRequest extends Omit<ForgetDialogProps, "target" | "onClose"> {
  target: Target;
  /** The dialog was closed, whatever was decided. */
  onClosed?: () => void;
}

const Ask = createContext<(request: ForgetRequest) => void>(() => undefined);

/** A function that asks what forgetting something takes along, and does it when it is meant. */
export const useForget = () => use(Ask);

/**
 * Has the one dialog about forgetting, above every screen: it shows how the erasure goes on although what the screen was
 * about is gone.
 */
export function Forgetting({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<ForgetRequest | null>(null);
  const leave = useLeaveConversation();
  const { target = null, onForgotten, onClosed, ...others } = request ?? {};
  const forgotten = useCallback(
    (operationId: string) => {
      if (target?.scope === "conversation") leave(target.id);
      onForgotten?.(operationId);
    },
    [target, leave, onForgotten],
  );
  return (
    <Ask value={setRequest}>
      {children}
      <ForgetDialog
        {...others}
        target={target}
        onForgotten={forgotten}
        onClose={() => {
          setRequest(null);
          onClosed?.();
        }}
      />
    </Ask>
  );
}
