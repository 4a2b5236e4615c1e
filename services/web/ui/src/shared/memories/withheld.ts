import { useTranslation } from "react-i18next";

import { localeOf } from "@/app/i18n";

const KINDS = ["credential", "key", "wallet", "payment", "identity", "email", "phone", "name", "path"] as const;
type Kind = (typeof KINDS)[number];

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);

/** Kinds of what is never remembered, as a list in words: "a password and an e-mail address". */
export function useWithheldWords(): (kinds: readonly string[]) => string {
  const { t, i18n } = useTranslation("memories");
  return (kinds) => {
    const words = kinds.map((kind) => (isKind(kind) ? t(`withheld.kind.${kind}`) : t("withheld.kind.other")));
    return new Intl.ListFormat(localeOf(i18n.language), { type: "conjunction" }).format(new Set(words));
  };
}
