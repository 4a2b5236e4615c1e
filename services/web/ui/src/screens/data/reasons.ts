import type { TFunction } from "i18next";

import type { CandidateOut, FoundToForgetOut } from "@/client";

type Reason = CandidateOut["reasons"][number]["code"];
type Nothing = NonNullable<FoundToForgetOut["nothing"]>;

const REASONS: Record<Reason, (t: TFunction) => string> = {
  identifier: (t) => t("data:reasons.identifier"),
  words: (t) => t("data:reasons.words"),
  answer: (t) => t("data:reasons.answer"),
  label: (t) => t("data:reasons.label"),
  meaning: (t) => t("data:reasons.meaning"),
};

const NOTHING: Record<Nothing, (t: TFunction) => string> = {
  nothing_named: (t) => t("data:nothing.nothing_named"),
  everything: (t) => t("data:nothing.everything"),
  nothing_matches: (t) => t("data:nothing.nothing_matches"),
};

/** Why something was found. */
export const reasonWords = (t: TFunction, code: Reason): string => REASONS[code](t);

/** Why nothing was found. */
export const nothingWords = (t: TFunction, code: Nothing): string => NOTHING[code](t);
