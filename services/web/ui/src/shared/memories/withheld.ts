import { useTranslation } from "react-i18next";

import { listed } from "@/shared/listed";
import { isProblem } from "@/shared/problems";

const KINDS = ["credential", "key", "wallet", "payment", "identity", "email", "phone", "name", "path"] as const;
type Kind = (typeof KINDS)[number];

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);

/** The kinds that a refusal names. */
export function withheldIn(error: unknown): string[] {
  const details = isProblem(error) ? error.details : undefined;
  const categories = details?.["categories"];
  return Array.isArray(categories) ? categories.map(String) : [];
}

/** Kinds of what is never remembered, as a list in words: "a password and an e-mail address". */
export function useWithheldWords(): (kinds: readonly string[]) => string {
  const { t, i18n } = useTranslation("memories");
  return (kinds) => {
    const words = kinds.map((kind) => (isKind(kind) ? t(`withheld.kind.${kind}`) : t("withheld.kind.other")));
    return listed(new Set(words), i18n.language);
  };
}
