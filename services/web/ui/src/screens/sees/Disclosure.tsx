import type { ReactNode } from "react";

import classes from "./sees.module.css";

/** Something secondary that opens when asked; the browser's own, so keyboards and screen readers know it. */
export function Disclosure({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <details className={classes.disclosure}>
      <summary>{label}</summary>
      <div className={classes.disclosed}>{children}</div>
    </details>
  );
}
