import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { LeftOutOut } from "@/client";
import { MemoryLink } from "@/shared/MemoryLink";

/** One thing that is left out: its words if it is a memory, and what is given in its place. */
export function LeftOutRow({ one }: { one: LeftOutOut }) {
  const { t } = useTranslation("sees");
  return (
    <li>
      {one.kind === "memory" ? <MemoryLink id={one.id} /> : <Text size="sm">{t(`leftOut.kind.${one.kind}`)}</Text>}
      {one.instead !== null && (
        <Text size="sm" c="dimmed">
          {t("leftOut.instead")} <MemoryLink id={one.instead} />
        </Text>
      )}
    </li>
  );
}
