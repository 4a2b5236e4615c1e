import { Group, NumberInput, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Saved } from "./Saved";
import classes from "./settings.module.css";
import { useSetting } from "./useSetting";
import type { SettingsOut } from "@/client";
import { Failed } from "@/shared/Failed";

const MOST = 100;
const TYPED_MILLISECONDS = 700;

/** How many pieces of feedback of one kind make a preference. */
export function Threshold({ settings }: { settings: SettingsOut }) {
  const { t } = useTranslation("settings");
  const { value, set, saving, saved, error } = useSetting("preference_learning_threshold", settings);
  const [typed, setTyped] = useState<string | number>();
  const id = useId();
  const save = useDebouncedCallback((wanted: string | number) => {
    if (typeof wanted !== "number" || wanted < 1 || wanted > MOST) return; // still typing
    setTyped(undefined);
    if (wanted !== value) set(wanted);
  }, TYPED_MILLISECONDS);
  return (
    <div className={classes.row}>
      <div className={classes.setting}>
        <div>
          <Group gap="xs" align="baseline">
            <label htmlFor={id} className={classes.name}>
              {t("threshold.name")}
            </label>
            <Saved saving={saving} saved={saved} />
          </Group>
          <Text size="sm" id={`${id}-about`}>
            {t("threshold.about")}
          </Text>
        </div>
        <NumberInput
          id={id}
          aria-describedby={`${id}-about`}
          w={88}
          min={1}
          max={MOST}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          value={typed ?? value}
          onChange={(wanted) => {
            setTyped(wanted);
            save(wanted);
          }}
          onBlur={() => setTyped((before) => (typeof before === "number" ? before : undefined))}
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
