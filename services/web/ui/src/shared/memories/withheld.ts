import { useTranslation } from "react-i18next";

import { listed } from "@/shared/listed";

const KINDS = ["credential", "key", "wallet", "payment", "identity", "email", "phone", "name", "path"] as const;
type Kind = (typeof KINDS)[number];

const isKind = (name: string): name is Kind => (KINDS as readonly string[]).includes(name);

/** Kinds of what is never remembered, as a list in words: "a password and an e-mail address". */
export function useWithheldWords(): (kinds: readonly string[]) => string {
  const { t, i18n } = useTranslation("memories");
  return (kinds) => {
    const words = kinds.map((kind) => (isKind(kind) ? t(`withheld.kind.${kind}`) : t("withheld.kind.other")));
    return listed(new Set(words), i18n.language);
  };
}
