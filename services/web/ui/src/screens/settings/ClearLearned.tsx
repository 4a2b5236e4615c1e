import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { useClearLearned } from "./useClearLearned";
import type { PreferencesOut } from "@/client";

/** Makes everything go that feedback has taught; it can be undone for a moment. */
export function ClearLearned({ learned }: { learned: PreferencesOut }) {
  const { t } = useTranslation("settings");
  const clear = useClearLearned();
  const pieces = learned.ignored + learned.signals.reduce((sum, { count }) => sum + count, 0);
  if (pieces === 0 && learned.learned_memory_ids.length === 0) return null;
  return (
    <>
      <Text size="sm" c="dimmed" mt="md" mb="xs">
        {t("clear.about", { count: pieces })}
      </Text>
      <Button variant="default" loading={clear.isPending} onClick={() => clear.mutate(undefined)}>
        {t("clear.do")}
      </Button>
    </>
  );
}
