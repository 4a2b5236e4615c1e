import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Says, beside what was changed, that it is being kept or is kept. */
export function Saved({ saving, saved }: { saving: boolean; saved: boolean }) {
  const { t } = useTranslation("settings");
  return (
    <Text component="span" size="xs" c="dimmed" role="status">
      {saving ? t("saving") : saved ? t("saved") : ""}
    </Text>
  );
}
