import type { TFunction } from "i18next";

import type { ImportPreview } from "@/client";
import { packedIn } from "@/shared/packed";

/** What becomes of a part of a package. */
export interface Outcome {
  name: string;
  what: string;
  counts: readonly string[];
}

/** What would become of what is in a package, in words; what there is none of is left out. */
export function outcomesOf(preview: ImportPreview, t: TFunction): Outcome[] {
  const outcomes = [
    { name: "new", what: t("data:preview.new"), of: preview.new },
    { name: "present", what: t("data:preview.present"), of: preview.present },
    { name: "erased", what: t("data:preview.erased"), of: preview.erased },
    { name: "switched_off", what: t("data:preview.switchedOff"), of: preview.switched_off },
    { name: "withheld", what: t("data:preview.withheld"), of: preview.withheld },
  ];
  return outcomes
    .map(({ name, what, of }) => ({ name, what, counts: packedIn(of, t) }))
    .filter(({ counts }) => counts.length > 0);
}

/** Whether bringing it in would change anything. */
export const bringsSomething = (preview: ImportPreview): boolean =>
  preview.settings === "restored" || total(preview.new) > 0;

const total = (counts: ImportPreview["new"]): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
