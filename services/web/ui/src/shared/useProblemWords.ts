import { useTranslation } from "react-i18next";

import { codeOf } from "./problems";

/** A function that says a failure in one plain sentence. */
export function useProblemWords(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return (error) => {
    const key = `problems.${codeOf(error)}`;
    return i18n.exists(key) ? t(key) : t("problems.other");
  };
}
