import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { LeftOutOut } from "@/client";
import { MemoryLink } from "@/shared/MemoryLink";

/** A memory that is left out, in its own words, and what is given in its place. */
export function LeftOutMemory({ one }: { one: LeftOutOut }) {
  const { t } = useTranslation("sees");
  return (
    <li>
      <MemoryLink id={one.id} />
      {one.instead !== null && (
        <Text size="sm" c="dimmed">
          {t("leftOut.instead")} <MemoryLink id={one.instead} />
        </Text>
      )}
    </li>
  );
}
