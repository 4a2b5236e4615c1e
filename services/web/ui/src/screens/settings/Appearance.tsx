import { SegmentedControl, Text, useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./settings.module.css";
import { speak } from "@/app/i18n";

/** Language and colours of this browser. */
export function Appearance() {
  const { t, i18n } = useTranslation("settings");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <div className={`${classes.row} ${classes.setting}`}>
        <Text id="appearance-language" className={classes.name}>
          {t("appearance.language")}
        </Text>
        <SegmentedControl
          aria-labelledby="appearance-language"
          value={i18n.language}
          onChange={(language) => void speak(language === "zh" ? "zh" : "en")}
          data={[
            { value: "en", label: <span lang="en">English</span> },
            { value: "zh", label: <span lang="zh-CN">中文</span> },
          ]}
        />
      </div>
      <div className={`${classes.row} ${classes.setting}`}>
        <Text id="appearance-colours" className={classes.name}>
          {t("common:colours.label")}
        </Text>
        <SegmentedControl
          aria-labelledby="appearance-colours"
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme === "light" || scheme === "dark" ? scheme : "auto")}
          data={[
            { value: "auto", label: t("common:colours.auto") },
            { value: "light", label: t("common:colours.light") },
            { value: "dark", label: t("common:colours.dark") },
          ]}
        />
      </div>
    </>
  );
}
