import { Button, Group, Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { Saved } from "./Saved";
import classes from "./settings.module.css";
import { useSetting } from "./useSetting";
import type { SettingsOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { timeZoneHere } from "@/shared/timeZone";

/** The time zone: never sent by itself, only when its person asks for it. */
export function TimeZone({ settings }: { settings: SettingsOut }) {
  const { t } = useTranslation("settings");
  const { set, saving, saved, error } = useSetting("time_zone", settings);
  const id = useId();
  const zone = settings.time_zone;
  const here = timeZoneHere();
  if (zone === null && here === undefined) return null;
  return (
    <div className={classes.row}>
      <div className={`${classes.setting} ${classes.wraps}`}>
        <div id={`${id}-about`}>
          <Group gap="xs" align="baseline">
            <Text component="span" className={classes.name}>
              {t("timeZone.name")}
            </Text>
            <Saved saving={saving} saved={saved} />
          </Group>
          <Text size="sm">{zone === null ? t("timeZone.unset") : t("timeZone.set", { zone })}</Text>
        </div>
        <Button
          variant="default"
          size="sm"
          aria-describedby={`${id}-about`}
          loading={saving}
          onClick={() => set(zone === null ? (here ?? null) : null)}
        >
          {zone === null ? t("timeZone.use", { zone: here }) : t("timeZone.remove")}
        </Button>
      </div>
      {error !== null && (
        <div className={classes.failed}>
          <Failed error={error} />
        </div>
      )}
    </div>
  );
}
