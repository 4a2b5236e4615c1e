import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconMoon, IconSun, IconSunMoon } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

const ICONS = { auto: IconSunMoon, light: IconSun, dark: IconMoon };
const SCHEMES = ["auto", "light", "dark"] as const;

/** Light, dark, or as the device says. */
export function ColourScheme() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Chosen = ICONS[colorScheme];
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={t("colours.label")}>
          <Chosen size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map((scheme) => {
          const Icon = ICONS[scheme];
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={scheme === colorScheme && <IconCheck size={16} aria-hidden />}
              onClick={() => setColorScheme(scheme)}
            >
              {t(`colours.${scheme}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
