import { useElementSize } from "@mantine/hooks";
import { type ReactNode, useLayoutEffect } from "react";

import classes from "./BottomBars.module.css";

/** What stands at the bottom of every page for a while; nothing takes no room. */
export function BottomBars({ children }: { children: ReactNode }) {
  const { ref, height } = useElementSize();
  useLayoutEffect(() => {
    // Screens with something of their own at the bottom keep clear of it by this.
    document.documentElement.style.setProperty("--operations-bar", `${height}px`);
    return () => void document.documentElement.style.removeProperty("--operations-bar");
  }, [height]);
  return (
    <div ref={ref} className={classes.bars}>
      {children}
    </div>
  );
}
