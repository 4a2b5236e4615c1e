import { useEffect } from "react";

import { openerNow, returnFocus } from "./forgetting/focus";

/** Give the focus back to what opened a dialog when it closes; for dialogs that are only mounted while they are open. */
export function useFocusBack(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    const opener = openerNow();
    return () => returnFocus(opener);
  }, [open]);
}
