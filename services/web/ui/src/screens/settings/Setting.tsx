import { Group, Switch, Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { Saved } from "./Saved";
import classes from "./settings.module.css";
import { useSetting } from "./useSetting";
import type { SettingsOut } from "@/client";
import { Failed } from "@/shared/Failed";

/** The settings that are on or off. */
export type SwitchName =
  | "injection_enabled"
  | "longterm_enabled"
  | "episodic_enabled"
  | "summary_enabled"
  | "preference_learning_enabled"
  | "privacy_mode_enabled"
  | "traits_enabled";

/** A switch: its name, what it does when on, and what it does not do when off. */
export function Setting({ name, settings }: { name: SwitchName; settings: SettingsOut }) {
  const { t } = useTranslation("settings");
  const { value, set, saving, saved, error } = useSetting(name, settings);
  const id = useId();
  return (
    <div className={classes.row}>
      <div className={classes.setting}>
        <div>
          <Group gap="xs" align="baseline">
            <label htmlFor={id} className={classes.name}>
              {t(`switch.${name}.name`)}
            </label>
            <Saved saving={saving} saved={saved} />
          </Group>
          <div id={`${id}-about`}>
            <Text size="sm">{t(`switch.${name}.on`)}</Text>
            <Text size="sm" c="dimmed">
              {t(`switch.${name}.off`)}
            </Text>
          </div>
        </div>
        <Switch
          id={id}
          size="md"
          aria-describedby={`${id}-about`}
          checked={value}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      </div>
      {error !== null && (
        <div className={classes.failed}>
          <Failed error={error} />
        </div>
      )}
    </div>
  );
}
