import { useTranslation } from "react-i18next";

import { codeOf } from "@/shared/problems";

/** Why the server refused something about a memory, in words that say what to do now. */
export function useRefusal(): (error: unknown) => string {
  const { t } = useTranslation("memories");
  const { t: common, i18n } = useTranslation();
  return (error) => {
    const code = codeOf(error);
    if (i18n.exists(`memories:refused.${code}`)) return t(`refused.${code}`);
    return i18n.exists(`problems.${code}`) ? common(`problems.${code}`) : common("problems.other");
  };
}
