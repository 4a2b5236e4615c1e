import { Alert, Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import type { WhyOff } from "./words";

/** Says that nothing is inferred or used now, and where that is changed. */
export function Off({ why }: { why: WhyOff }) {
  const { t } = useTranslation("traits");
  return (
    <Alert color="gray" variant="outline" mb="lg">
      <Text size="sm">{t(`off.${why}`)}</Text>
      <Anchor component={Link} href="/settings" size="sm" underline="always">
        {t("memories:edit.openSettings")}
      </Anchor>
    </Alert>
  );
}
