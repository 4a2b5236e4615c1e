import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { getOperationOptions } from "@/client/@tanstack/react-query.gen";
import { Milestones } from "@/shared/operations/Milestones";

/** What has happened since a forget was accepted, as it happens. */
export function Outcome({ operationId, onClose }: { operationId: string; onClose: () => void }) {
  const { t } = useTranslation("forgetting");
  const { data: operation } = useQuery(getOperationOptions({ path: { op_id: operationId } }));
  const erased = operation !== undefined && operation.erased_at !== null;
  return (
    <Stack gap="lg">
      <Text role="status">{erased ? t("outcome.erased") : t("outcome.hidden")}</Text>
      {operation !== undefined && <Milestones of={operation} />}
      <Group justify="space-between">
        <Group gap="md">
          {operation?.receipt_id != null && (
            <Anchor component={Link} href={`/receipts/${operation.receipt_id}`} size="sm" onClick={onClose}>
              {t("outcome.receipt")}
            </Anchor>
          )}
          <Anchor component={Link} href={`/data/operations#${operationId}`} size="sm" onClick={onClose}>
            {t("outcome.follow")}
          </Anchor>
        </Group>
        <Button onClick={onClose} autoFocus>
          {t("outcome.done")}
        </Button>
      </Group>
    </Stack>
  );
}
