import { useTranslation } from "react-i18next";

import { useWithheldWords, withheldIn } from "@/shared/memories/withheld";
import { codeOf } from "@/shared/problems";
import { useProblemWords } from "@/shared/useProblemWords";

/** Why the server refused something about a trait, in words that say what to do now. */
export function useTraitRefusal(): (error: unknown) => string {
  const { t, i18n } = useTranslation("traits");
  const problem = useProblemWords();
  const withheld = useWithheldWords();
  return (error) => {
    const code = codeOf(error);
    if (code === "sensitive_content") return t("memories:withheld.refused", { kinds: withheld(withheldIn(error)) });
    return i18n.exists(`traits:refusal.${code}`) ? t(`refusal.${code}`) : problem(error);
  };
}
