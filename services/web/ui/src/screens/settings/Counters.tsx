import { Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./settings.module.css";
import type { PreferencesOut } from "@/client";
import { MemoryLink } from "@/shared/MemoryLink";

/** What was counted so far, by what it is about and what was thought of it, and the preferences made of it. */
export function Counters({ learned }: { learned: PreferencesOut }) {
  const { t, i18n } = useTranslation("settings");
  const named = (label: string) =>
    i18n.exists(`counters.label.${label}`, { ns: "settings" })
      ? t(`counters.label.${label}`)
      : t("counters.label.other");
  return (
    <Stack gap="xs">
      <Title order={3}>{t("counters.title")}</Title>
      {learned.signals.length === 0 && learned.ignored === 0 ? (
        <Text size="sm" c="dimmed">
          {t("counters.nothing")}
        </Text>
      ) : (
        <ul className={classes.list}>
          {learned.signals.map(({ label, action, count }) => (
            <li key={`${label} ${action}`}>
              {t(`counters.action.${action}`, { label: named(label) })}
              <span className={classes.count}>{t("counters.times", { count })}</span>
            </li>
          ))}
          {learned.ignored > 0 && (
            <li>
              {t("counters.ignored")}
              <span className={classes.count}>{t("counters.times", { count: learned.ignored })}</span>
            </li>
          )}
        </ul>
      )}
      {learned.learned_memory_ids.length > 0 && (
        <>
          <Text size="sm">{t("counters.made", { count: learned.learned_memory_ids.length })}</Text>
          <ul className={classes.list}>
            {learned.learned_memory_ids.map((id) => (
              <li key={id}>
                <MemoryLink id={id} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}
