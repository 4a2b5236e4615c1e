import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Pages, useMorePages } from "./useMorePages";

/** The button below a list that asks for one page more; nothing when there is none. */
export function More({ pages }: { pages: Pages }) {
  const { t } = useTranslation();
  const { more, coming } = useMorePages(pages);
  if (!pages.hasNextPage) return null;
  return (
    <Group justify="center" mt="lg">
      <Button variant="default" loading={coming} onClick={more}>
        {t("more")}
      </Button>
    </Group>
  );
}
