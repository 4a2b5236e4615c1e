import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconCircle,
  IconCircleDotted,
  IconRefresh,
  type TablerIcon,
} from "@tabler/icons-react";

import classes from "./StepMark.module.css";
import type { StepOut } from "@/client";

const MARKS: Record<StepOut["status"], TablerIcon> = {
  waiting: IconCircleDotted,
  ready: IconCircle,
  running: IconRefresh,
  succeeded: IconCheck,
  failed: IconAlertTriangle,
  cancelled: IconArrowBackUp,
};

/** A step's state as a sign; its words are told beside it. */
export function StepMark({ step }: { step: StepOut }) {
  const again = step.status === "ready" && step.last_error !== null;
  const Mark = again ? IconRefresh : MARKS[step.status];
  return <Mark size={16} className={classes.mark} data-status={again ? "again" : step.status} aria-hidden />;
}
