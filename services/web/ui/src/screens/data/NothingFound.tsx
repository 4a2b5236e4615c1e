import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { nothingWords } from "./reasons";
import type { FoundToForgetOut } from "@/client";

/** Says why nothing was found, and that nothing has happened. */
export function NothingFound({ because }: { because: NonNullable<FoundToForgetOut["nothing"]> }) {
  const { t } = useTranslation("data");
  return (
    <Text>
      {nothingWords(t, because)}{" "}
      {because === "everything" && (
        <Anchor component={Link} href="/data/everything">
          {t("sections.everything")}
        </Anchor>
      )}
    </Text>
  );
}
