import { Group, Loader, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const WORDS_AFTER_MILLISECONDS = 2000;

/** Something is on its way: quiet outlines first, words after two seconds. */
export function Waiting({ lines = 3 }: { lines?: number }) {
  const { t } = useTranslation();
  const [long, setLong] = useState(false);
  useTimeout(() => setLong(true), WORDS_AFTER_MILLISECONDS, { autoInvoke: true });
  return (
    <Stack role="status" gap="sm" p="xs">
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={56} radius="md" aria-hidden />
      ))}
      {long && (
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            {t("loadingLong")}
          </Text>
        </Group>
      )}
    </Stack>
  );
}
