import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { Appearance } from "./Appearance";
import { Card } from "./Card";
import { Consent } from "./Consent";
import { Learning } from "./Learning";
import { Setting } from "./Setting";
import classes from "./settings.module.css";
import { TimeZone } from "./TimeZone";
import { getSettingsOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { Screen } from "@/shared/Screen";
import { Waiting } from "@/shared/Waiting";

/** What may be remembered and used from now on; every switch says what it does, and what turning it off does not do. */
export function Settings() {
  const { t } = useTranslation("settings");
  const { t: consent } = useTranslation("consent");
  const settings = useQuery(getSettingsOptions());
  return (
    <Screen name="settings" width={760}>
      <Stack gap="xl" mt="lg">
        {settings.isPending && <Waiting />}
        {settings.isError && <Failed error={settings.error} again={() => void settings.refetch()} />}
        {settings.data !== undefined && (
          <>
            <Card title={t("using.title")} about={t("using.about")}>
              <Setting name="injection_enabled" settings={settings.data} />
            </Card>
            <Card title={t("keeping.title")} about={t("keeping.about")}>
              <Setting name="longterm_enabled" settings={settings.data} />
              <Setting name="episodic_enabled" settings={settings.data} />
              <Setting name="summary_enabled" settings={settings.data} />
            </Card>
            <Card title={t("learning.title")} about={t("learning.about")}>
              <Learning settings={settings.data} />
            </Card>
            <Card title={t("traits.title")} about={t("traits.about")}>
              <Setting name="traits_enabled" settings={settings.data} />
              <TimeZone settings={settings.data} />
              <Text className={classes.row} size="sm">
                <Anchor component={Link} href="/memories/traits">
                  {t("traits.look")}
                </Anchor>
              </Text>
            </Card>
          </>
        )}
        {settings.data !== undefined && (
          <Card title={consent("title")} about={consent("about")}>
            <Consent />
          </Card>
        )}
        {/* Not before what stands above it: it would be pushed down. */}
        {!settings.isPending && (
          <Card title={t("appearance.title")} about={t("appearance.about")}>
            <Appearance />
          </Card>
        )}
      </Stack>
    </Screen>
  );
}
