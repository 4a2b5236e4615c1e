import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { LeftOutOut } from "@/client";
import { MemoryLink } from "@/shared/MemoryLink";
import { TraitLink } from "@/shared/TraitLink";

/** A memory or an impression that is left out, in its own words, and what is given in its place. */
export function LeftOutItem({ one }: { one: LeftOutOut }) {
  const { t } = useTranslation("sees");
  return (
    <li>
      {one.kind === "trait" ? <TraitLink id={one.id} /> : <MemoryLink id={one.id} />}
      {one.instead !== null && (
        <Text size="sm" c="dimmed">
          {t("leftOut.instead")} <MemoryLink id={one.instead} />
        </Text>
      )}
    </li>
  );
}
