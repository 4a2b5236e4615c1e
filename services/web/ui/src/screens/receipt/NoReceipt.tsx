import { Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** There is nothing under this link. */
export function NoReceipt() {
  const { t } = useTranslation("receipt");
  return (
    <>
      <Title order={1} size="h2" mb="xs">
        {t("none.title")}
      </Title>
      <Text c="dimmed">{t("none.about")}</Text>
    </>
  );
}
