import { useCallback } from "react";
import { useLocation } from "wouter";

import { useLastOpened } from "@/shared/kept";

/** A function that leads away from a conversation that is gone, if it is the one that is looked at. */
export function useLeaveConversation(): (id: string) => void {
  const [lastOpened, setLastOpened] = useLastOpened();
  const [, navigate] = useLocation();
  return useCallback(
    (id) => {
      if (lastOpened === id) setLastOpened(undefined);
      if (location.pathname === `/chat/${id}`) navigate("/chat/new", { replace: true });
      if (location.pathname === `/conversation/${id}`) navigate("/conversation", { replace: true });
    },
    [lastOpened, setLastOpened, navigate],
  );
}
