import { Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { useProblemWords } from "@/shared/useProblemWords";

interface Props {
  remember: boolean;
  onChange: (remember: boolean) => void;
  failure?: unknown;
}

/** Turns remembering off for one conversation, and says what that does and does not do. */
export function RememberSwitch({ remember, onChange, failure }: Props) {
  const { t } = useTranslation("chat");
  const words = useProblemWords();
  return (
    <div className={classes.remember} data-off={!remember || undefined}>
      <Switch
        size="sm"
        label={t("remember.off")}
        checked={!remember}
        onChange={(event) => onChange(!event.currentTarget.checked)}
        {...(remember ? {} : { "aria-describedby": "not-remembering" })}
      />
      <div role="status">
        {!remember && (
          <Text size="sm" c="dimmed" id="not-remembering">
            {t("remember.offMeans")}
          </Text>
        )}
        {failure != null && <Text size="sm">{words(failure)}</Text>}
      </div>
    </div>
  );
}
