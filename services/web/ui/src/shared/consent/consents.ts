import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";

import {
  type GrantIn,
  grantProfileConsent,
  noteOnboardingStep,
  type OnboardingIn,
  type StandingOut,
  withdrawProfileConsent,
} from "@/client";
import { getProfileConsentOptions } from "@/client/@tanstack/react-query.gen";
import { listed } from "@/shared/listed";

/** The person who is signed in. */
export const ME = { of_user: "me" } as const;

export const SCOPES = ["create_task", "save_to_profile", "save_to_thread", "training_use_allowed"] as const;
export type Scope = (typeof SCOPES)[number];

/** The preferences that are chosen from a list, each with its choices. */
export const CHOICES = {
  language_preference: ["en", "zh"],
  research_depth: ["quick", "standard", "deep"],
  risk_prompt_preference: ["balanced", "counter_first", "risk_first"],
} as const;
export type Choice = keyof typeof CHOICES;

/** Count a step of somebody's first choice; nothing waits for it, and nothing is kept of them. */
export function noteStep(step: OnboardingIn["step"]): void {
  void noteOnboardingStep({ path: ME, body: { step } }).catch(() => undefined);
}

/** Where the person stands. */
export const useConsent = () => useQuery(getProfileConsentOptions({ path: ME }));

/** Grant a new version; it replaces the one before. */
export function useGrant(onGranted: (given: GrantIn) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: GrantIn) => (await grantProfileConsent({ path: ME, body, throwOnError: true })).data,
    onSuccess: (_, given) => {
      onGranted(given);
      return queries.invalidateQueries();
    },
  });
}

/** Withdraw one scope, or all. */
export function useWithdraw(onWithdrawn: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ consentId, scope }: { consentId: string; scope: Scope | undefined }) => {
      const path = { ...ME, consent_id: consentId };
      return (await withdrawProfileConsent({ path, query: scope === undefined ? {} : { scope }, throwOnError: true }))
        .data;
    },
    onSuccess: () => {
      onWithdrawn();
      return queries.invalidateQueries();
    },
  });
}

/** What holds now, as a grant that changes nothing; what was agreed to under another wording does not count. */
export function sameAgain({ consent, state }: StandingOut): GrantIn {
  return Object.fromEntries(SCOPES.map((scope) => [scope, state === "granted" && consent?.[scope] === true]));
}

/** The name of a preference, and of its value. */
export function preferenceWords(t: TFunction<"consent">, name: string, value: string): { name: string; value: string } {
  switch (name) {
    case "language_preference":
      return {
        name: t("language_preference.name"),
        value: value === "zh" ? t("language_preference.zh") : t("language_preference.en"),
      };
    case "research_depth":
      return { name: t("research_depth.name"), value: choiceWords(t, "research_depth", value) };
    case "risk_prompt_preference":
      return { name: t("risk_prompt_preference.name"), value: choiceWords(t, "risk_prompt_preference", value) };
    case "user_focus_reason":
      return { name: t("user_focus_reason.name"), value };
    default:
      return { name: name.replaceAll("_", " "), value };
  }
}

const WORDS: Record<string, (t: TFunction<"consent">) => string> = {
  "language_preference.en": (t) => t("language_preference.en"),
  "language_preference.zh": (t) => t("language_preference.zh"),
  "research_depth.quick": (t) => t("research_depth.quick"),
  "research_depth.standard": (t) => t("research_depth.standard"),
  "research_depth.deep": (t) => t("research_depth.deep"),
  "risk_prompt_preference.balanced": (t) => t("risk_prompt_preference.balanced"),
  "risk_prompt_preference.counter_first": (t) => t("risk_prompt_preference.counter_first"),
  "risk_prompt_preference.risk_first": (t) => t("risk_prompt_preference.risk_first"),
};

export const choiceWords = (t: TFunction<"consent">, choice: Choice, value: string): string =>
  WORDS[`${choice}.${value}`]?.(t) ?? value;

const KINDS: Record<string, (t: TFunction<"consent">, count: number) => string> = {
  context: (t, count) => t("kinds.context", { count }),
  memory: (t, count) => t("kinds.memory", { count }),
  document: (t, count) => t("kinds.document", { count }),
  trait: (t, count) => t("kinds.trait", { count }),
  feedback: (t, count) => t("kinds.feedback", { count }),
  thread: (t, count) => t("kinds.thread", { count }),
  candidate: (t, count) => t("kinds.candidate", { count }),
  drift: (t, count) => t("kinds.drift", { count }),
};

/** What is kept when its consent is withdrawn, and never used any more; all else is deleted. */
const KEPT_UNUSED = "thread";

/** What becomes of what rests on scopes that are withdrawn, in sentences; what people do not know of is left out. */
export function goingWords(
  t: TFunction<"consent">,
  language: string,
  scopes: ReadonlyArray<Readonly<Record<string, number>> | undefined>,
): { deleted: string; unused: string } {
  const counts = new Map<string, number>(); // the same memories rest on several scopes
  for (const [kind, count] of scopes.flatMap((of) => Object.entries(of ?? {})))
    counts.set(kind, Math.max(count, counts.get(kind) ?? 0));
  const words = (kept: boolean) =>
    [...counts].flatMap(([kind, count]) =>
      (kind === KEPT_UNUSED) === kept && count > 0 ? (KINDS[kind]?.(t, count) ?? []) : [],
    );
  return { deleted: listed(words(false), language), unused: listed(words(true), language) };
}
