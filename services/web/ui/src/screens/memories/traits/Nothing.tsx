import { Anchor, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

/** Nothing is inferred yet, and why that takes its time. */
export function Nothing() {
  const { t } = useTranslation("traits");
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      <Text maw={520}>{t("nothing")}</Text>
      <Anchor component={Link} href="/chat" underline="always">
        {t("memories:empty.talk")}
      </Anchor>
    </Stack>
  );
}
