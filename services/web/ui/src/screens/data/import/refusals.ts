import type { TFunction } from "i18next";

import { isProblem } from "@/shared/problems";

const REFUSALS: Readonly<Record<string, (t: TFunction) => string>> = {
  package_too_large: (t) => t("data:refused.package_too_large"),
  package_too_large_unpacked: (t) => t("data:refused.package_too_large_unpacked"),
  package_too_many_entries: (t) => t("data:refused.package_too_many_entries"),
  package_record_too_large: (t) => t("data:refused.package_record_too_large"),
  package_unknown_format: (t) => t("data:refused.package_unknown_format"),
  package_version_unsupported: (t) => t("data:refused.package_version_unsupported"),
  package_unsupported_compression: (t) => t("data:refused.package_unsupported_compression"),
  package_encrypted: (t) => t("data:refused.package_encrypted"),
  package_malformed: (t) => t("data:refused.package_malformed"),
  package_unsafe_path: (t) => t("data:refused.package_unsafe_path"),
  package_digest_mismatch: (t) => t("data:refused.package_digest_mismatch"),
  package_schema_mismatch: (t) => t("data:refused.package_schema_mismatch"),
  package_text_unstorable: (t) => t("data:refused.package_text_unstorable"),
  package_file_missing: (t) => t("data:refused.package_file_missing"),
  package_file_unlisted: (t) => t("data:refused.package_file_unlisted"),
  package_duplicate_entry: (t) => t("data:refused.package_duplicate_entry"),
  package_duplicate_id: (t) => t("data:refused.package_duplicate_id"),
  package_out_of_order: (t) => t("data:refused.package_out_of_order"),
  package_references_missing: (t) => t("data:refused.package_references_missing"),
  package_several_people: (t) => t("data:refused.package_several_people"),
};

/** Why a file cannot be brought in; `null` when the failure says nothing about the file. */
export function refusalWords(t: TFunction, error: unknown): string | null {
  if (!isProblem(error)) return null;
  const words = REFUSALS[error.code];
  if (words !== undefined) return words(t);
  return error.code.startsWith("package_") ? t("data:refused.other") : null;
}

/** Where in the file something is wrong: a file of the package, and which of its records, counted from one. */
export interface Fault {
  file: string;
  record: number | null;
}

export function faultOf(error: unknown): Fault | null {
  const place: unknown = isProblem(error) ? error.errors?.[0] : undefined;
  if (typeof place !== "object" || place === null || !("file" in place) || typeof place.file !== "string") return null;
  const record = "record" in place && typeof place.record === "number" ? place.record : null;
  return { file: place.file, record };
}
