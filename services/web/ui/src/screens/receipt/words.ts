import type { TFunction } from "i18next";

import type { ReceiptOut } from "@/client";

const REMARKS: Readonly<Record<string, (t: TFunction) => string>> = {
  write_ahead_log_and_backups_age_out: (t) => t("receipt:remarks.write_ahead_log_and_backups_age_out"),
  late_bytes_are_swept: (t) => t("receipt:remarks.late_bytes_are_swept"),
};

/** What a proof does not promise; what this app does not know is said as the server says it. */
export const remarkWords = (t: TFunction, code: string, sentence: string): string => REMARKS[code]?.(t) ?? sentence;

/** What has happened, in one sentence. */
export function headline(t: TFunction, { status, erased_at, purged_at }: ReceiptOut): string {
  if (status === "cancelled") return t("receipt:headline.cancelled");
  if (purged_at !== null) return t("receipt:headline.gone");
  if (erased_at !== null) return t("receipt:headline.erased");
  return status === "failed" ? t("receipt:headline.stopped") : t("receipt:headline.hidden");
}
