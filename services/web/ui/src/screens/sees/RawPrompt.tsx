import { Button, CopyButton, Group } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { Disclosure } from "./Disclosure";
import classes from "./sees.module.css";

/** The text itself, character for character. */
export function RawPrompt({ prompt }: { prompt: string }) {
  const { t } = useTranslation("sees");
  return (
    <Disclosure label={t("raw.label")}>
      <Group justify="flex-end" mb="xs">
        <CopyButton value={prompt}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              <span aria-live="polite">{copied ? t("raw.copied") : t("raw.copy")}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
      <pre className={classes.raw} tabIndex={0} role="region" aria-label={t("raw.label")}>
        {prompt}
      </pre>
    </Disclosure>
  );
}
