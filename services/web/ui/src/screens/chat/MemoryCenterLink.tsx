import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

/** From a conversation to everything that is remembered. */
export function MemoryCenterLink() {
  const { t } = useTranslation("common");
  return (
    <Anchor component={Link} href="/memories" size="sm" py={2}>
      {t("product")}
    </Anchor>
  );
}
