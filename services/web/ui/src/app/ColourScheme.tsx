import { useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun, IconSunMoon } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { MenuButton } from "@/shared/MenuButton";

const ICONS = { auto: IconSunMoon, light: IconSun, dark: IconMoon };
const SCHEMES = ["auto", "light", "dark"] as const;

/** Light, dark, or as the device says. */
export function ColourScheme() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Chosen = ICONS[colorScheme];
  return (
    <MenuButton
      label={t("colours.label")}
      icon={<Chosen size={20} aria-hidden />}
      size="lg"
      items={SCHEMES.map((scheme) => ({
        name: t(`colours.${scheme}`),
        Icon: ICONS[scheme],
        chosen: scheme === colorScheme,
        onClick: () => setColorScheme(scheme),
      }))}
    />
  );
}
