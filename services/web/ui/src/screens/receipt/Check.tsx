import { Text } from "@mantine/core";
import { IconAlertTriangle, IconClock, IconInfoCircle, IconShieldCheck, type TablerIcon } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import { check, fingerprint, type Verdict } from "./check";
import classes from "./Receipt.module.css";
import type { ReceiptOut } from "@/client";

const VERDICTS: Record<Verdict, { Icon: TablerIcon; words: (t: TFunction) => string }> = {
  proven: { Icon: IconShieldCheck, words: (t) => t("receipt:verdict.proven") },
  unproven: { Icon: IconClock, words: (t) => t("receipt:verdict.unproven") },
  damaged: { Icon: IconAlertTriangle, words: (t) => t("receipt:verdict.damaged") },
  unchecked: { Icon: IconInfoCircle, words: (t) => t("receipt:verdict.unchecked") },
};

/** What this browser finds when it computes hashes and signatures again. */
export function Check({ receipt }: { receipt: ReceiptOut }) {
  const { t } = useTranslation("receipt");
  const { data } = useQuery({
    queryKey: ["check", receipt],
    queryFn: async () => {
      const key = receipt.entries.at(-1)?.body["public_key"];
      return {
        verdict: await check(receipt),
        key: typeof key === "string" ? await fingerprint(key) : null,
      };
    },
    staleTime: Infinity,
  });
  if (data === undefined) return null;
  const { Icon, words } = VERDICTS[data.verdict];
  return (
    <div className={classes.check} role="status">
      <Icon size={20} aria-hidden />
      <div>
        <Text>{words(t)}</Text>
        {data.key !== null && data.verdict !== "damaged" && (
          <Text size="sm" c="dimmed">
            {t("proof.key", { key: data.key })}
          </Text>
        )}
      </div>
    </div>
  );
}
