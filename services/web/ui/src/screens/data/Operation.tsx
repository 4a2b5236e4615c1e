import { Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { OperationActions } from "./OperationActions";
import { Steps } from "./Steps";
import type { OperationOut } from "@/client";
import { Milestones } from "@/shared/operations/Milestones";
import { isForget, isRunning, stageOf } from "@/shared/operations/states";
import { useNow } from "@/shared/operations/useNow";
import { operationTitle, stateWords } from "@/shared/operations/words";
import { When } from "@/shared/When";

/** One operation: what it is, how far it is, why it waits, and what one can do about it. */
export function Operation({ operation }: { operation: OperationOut }) {
  const { t } = useTranslation("data");
  const now = useNow(isRunning(operation));
  const stage = stageOf(operation, now);
  const title = `title-${operation.id}`;
  return (
    <Stack component="article" id={operation.id} tabIndex={-1} aria-labelledby={title} className="card" p="lg" gap="md">
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Title order={3} id={title}>
          {operationTitle(t, operation, stage)}
        </Title>
        <Text size="sm" c="dimmed" flex="none">
          <When at={operation.created_at} />
        </Text>
      </Group>
      {isForget(operation) && <Milestones of={operation} />}
      <Text size="sm">{stateWords(t, operation, now)}</Text>
      <Steps operation={operation} now={now} />
      <OperationActions operation={operation} stage={stage} />
    </Stack>
  );
}
