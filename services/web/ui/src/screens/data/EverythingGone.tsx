import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { getOperationOptions } from "@/client/@tanstack/react-query.gen";
import { Milestones } from "@/shared/operations/Milestones";
import { isRunning } from "@/shared/operations/states";
import { useNow } from "@/shared/operations/useNow";
import { stateWords } from "@/shared/operations/words";

/** What has happened since everything was to go, as it happens. */
export function EverythingGone({ operationId, receiptId }: { operationId: string; receiptId: string | null }) {
  const { t } = useTranslation("data");
  const { data: operation } = useQuery(getOperationOptions({ path: { op_id: operationId } }));
  const now = useNow(operation !== undefined && isRunning(operation));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="lg" className="card" p="lg">
      <Title order={2} ref={heading} tabIndex={-1}>
        {t("everything.gone")}
      </Title>
      {operation !== undefined && (
        <>
          <Milestones of={operation} />
          <Text>{stateWords(t, operation, now)}</Text>
        </>
      )}
      {receiptId !== null && (
        <Text size="sm">
          {t("everything.keepReceipt")}{" "}
          <Anchor component={Link} href={`/receipts/${receiptId}`}>
            {t("operations.receipt")}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
