import { useMemo } from "react";
import { useTranslation } from "react-i18next";

import { localeOf } from "@/app/i18n";
import type { PieceOut, SettingsOut, TraitOut } from "@/client";
import { listed } from "@/shared/listed";

export const CONTEXTS = ["work", "personal", "social", "learning"] as const;
export type Context = (typeof CONTEXTS)[number];

/** Whether it was sure enough to be used, and is not because its person said otherwise. */
export const isOverruled = ({ used, trait_stage: stage }: Pick<TraitOut, "used" | "trait_stage">): boolean =>
  !used && (stage === "emerging" || stage === "established" || stage === "core");

/** When something began, for somebody reading at `now`: the day this month, the month this year, the month and year before. */
export function began(moment: Date, now: Date, locale: string): string {
  const sameYear = moment.getFullYear() === now.getFullYear();
  const sameMonth = sameYear && moment.getMonth() === now.getMonth();
  const rest = sameMonth ? ({ day: "numeric" } as const) : sameYear ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(locale, { month: "long", ...rest }).format(moment);
}

/** What a piece of evidence weighs, by its grade; the first one is where it was first seen. */
export function weightOf({ quality, form }: Pick<PieceOut, "quality" | "form">, isFirst: boolean) {
  if (quality === "D") return form === "signal" ? "measured" : "again";
  if (quality === "C") return isFirst ? "first" : "elsewhere";
  if (quality === "B") return "stated";
  return quality === "A" ? "context" : undefined;
}

/** The properties of traits in words, in the language that is shown. */
export function useTraitWords() {
  const { t, i18n } = useTranslation("traits");
  const language = i18n.language;
  return useMemo(() => {
    /** What it says, in the language that is shown unless its person worded it. */
    const sentence = ({ wordings, content }: Pick<TraitOut, "wordings" | "content">): string =>
      wordings?.[language] ?? content;
    const stage = (name: TraitOut["trait_stage"]): string => t(`stage.${name}`);
    /** "everywhere", "at work", "only at work". */
    const where = ({
      context,
      contexts,
      chosen_context: chosen,
    }: Pick<TraitOut, "context" | "contexts" | "chosen_context">): string => {
      if (chosen !== null && chosen !== "general") return t("only", { where: t(`context.${chosen}`) });
      const known = CONTEXTS.filter((one) => contexts !== null && one in contexts);
      if (known.length > 0)
        return listed(
          known.map((one) => t(`context.${one}`)),
          language,
        );
      return t(`context.${context}`);
    };
    /** "from 7 messages in 4 chats since March", or what it rests on where nothing was observed of itself. */
    const from = ({
      evidence,
      conversations,
      first_observed,
      trait_subtype: subtype,
    }: Pick<TraitOut, "evidence" | "conversations" | "first_observed" | "trait_subtype">): string => {
      const since = t("since", { when: began(new Date(first_observed), new Date(), localeOf(language)) });
      const seen = evidence.supporting.length;
      const below = evidence.child_traits.length;
      if (seen > 0) {
        const messages = t("from.messages", { count: seen });
        return t("from.said", { messages, chats: t("from.chats", { count: conversations }), since });
      }
      if (below === 0) return since;
      const what = subtype === "core" ? t("from.preferences", { count: below }) : t("from.habits", { count: below });
      return t("from.below", { what, since });
    };
    /** What stands below the sentence. */
    const line = (trait: TraitOut): string =>
      [stage(trait.trait_stage), where(trait), from(trait)].join(t("separator"));
    return { sentence, stage, where, from, line };
  }, [t, language]);
}

export type WhyOff = "traits" | "longterm" | "injection";

/** Which switch keeps traits from being inferred and used; `undefined` when none does. */
export function whyOff({
  traits_enabled,
  longterm_enabled,
  injection_enabled,
}: Pick<SettingsOut, "traits_enabled" | "longterm_enabled" | "injection_enabled">): WhyOff | undefined {
  if (!traits_enabled) return "traits";
  if (!longterm_enabled) return "longterm";
  return injection_enabled ? undefined : "injection";
}
