import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { speak } from "./i18n";

/** Switches to the other language; its label is written in that language. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const other = i18n.language === "zh" ? "en" : "zh";
  return (
    <Button variant="subtle" size="compact-sm" lang={other} onClick={() => void speak(other)}>
      {t("otherLanguage")}
    </Button>
  );
}
