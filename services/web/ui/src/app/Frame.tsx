import { Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { useFetchAhead } from "./ahead";
import { BottomBars } from "./BottomBars";
import { ColourScheme } from "./ColourScheme";
import classes from "./Frame.module.css";
import { LanguageSwitch } from "./LanguageSwitch";
import { useLive } from "./live";
import { Navigation } from "./Navigation";
import { OperationsBar } from "./OperationsBar";
import { PersonMenu } from "./PersonMenu";
import { StatusDot } from "./StatusDot";
import { TraitsNotice } from "./TraitsNotice";

export const WIDE = "(min-width: 48em)";

/** What stands around every screen: navigation (a rail, or a bar when narrow), who it is, language, colours, state. */
export function Frame({ person, children }: { person: string; children: ReactNode }) {
  const { t } = useTranslation();
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const live = useLive();
  useFetchAhead(live);
  return (
    <>
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <header className={classes.header}>
        <Text fw={620} size={wide ? "lg" : "md"}>
          {wide ? t("product") : t("productShort")}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <LanguageSwitch />
          <ColourScheme />
          <PersonMenu person={person} />
          <StatusDot connected={live} />
        </Group>
      </header>
      {wide && (
        <div className={classes.rail}>
          <Navigation />
        </div>
      )}
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      {!wide && (
        <footer className={classes.footer}>
          <Navigation narrow />
        </footer>
      )}
      <BottomBars>
        <TraitsNotice person={person} />
        <OperationsBar />
      </BottomBars>
    </>
  );
}
