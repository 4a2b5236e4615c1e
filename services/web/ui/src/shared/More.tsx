import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Pages, useMorePages } from "./useMorePages";

/** The button below a list that asks for one page more; nothing when there is none. */
export function More({ pages }: { pages: Pages }) {
  const { t } = useTranslation();
  const { more, coming, failed } = useMorePages(pages);
  if (!pages.hasNextPage) return null;
  return (
    <Group justify="center" mt="lg">
      {failed && (
        <Text size="sm" role="alert">
          {t("moreFailed")}
        </Text>
      )}
      <Button variant="default" loading={coming} onClick={more}>
        {t("more")}
      </Button>
    </Group>
  );
}
