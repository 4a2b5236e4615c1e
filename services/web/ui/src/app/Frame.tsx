import { AppShell, Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { ColourScheme } from "./ColourScheme";
import { LanguageSwitch } from "./LanguageSwitch";
import { useLive } from "./live";
import { Navigation } from "./Navigation";
import { OperationsBar } from "./OperationsBar";
import { PersonMenu } from "./PersonMenu";
import { StatusDot } from "./StatusDot";

export const WIDE = "(min-width: 48em)";

/** What stands around every screen: navigation (a rail, or a bar when narrow), who it is, language, colours, state. */
export function Frame({ person, children }: { person: string; children: ReactNode }) {
  const { t } = useTranslation();
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const live = useLive();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: true } }}
      footer={{ height: wide ? 0 : 64, collapsed: wide }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Text fw={620} size="lg" visibleFrom="sm">
            {t("product")}
          </Text>
          <Text fw={620} hiddenFrom="sm" aria-hidden>
            {t("productShort")}
          </Text>
          <Group gap="xs" wrap="nowrap">
            <LanguageSwitch />
            <ColourScheme />
            <PersonMenu person={person} />
            <StatusDot connected={live} />
          </Group>
        </Group>
      </AppShell.Header>
      {wide && (
        <AppShell.Navbar p="sm">
          <Navigation />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1}>
        {children}
      </AppShell.Main>
      {!wide && (
        <AppShell.Footer>
          <Navigation narrow />
        </AppShell.Footer>
      )}
      <OperationsBar />
    </AppShell>
  );
}
