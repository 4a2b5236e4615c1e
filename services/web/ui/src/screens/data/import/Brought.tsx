import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { OperationActions } from "../OperationActions";
import { getOperationOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { listed } from "@/shared/listed";
import { isRunning, stageOf } from "@/shared/operations/states";
import { useNow } from "@/shared/operations/useNow";
import { stateWords, titleOf } from "@/shared/operations/words";
import { Waiting } from "@/shared/Waiting";
import { packedIn } from "@/shared/packed";

/** A package that is coming in, as it happens, and then what came of it. */
export function Brought({ operationId, onAnother }: { operationId: string; onAnother: () => void }) {
  const { t, i18n } = useTranslation("data");
  const { data: operation, error, refetch } = useQuery(getOperationOptions({ path: { op_id: operationId } }));
  const now = useNow(operation !== undefined && isRunning(operation));
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = operation !== undefined;
  useEffect(() => {
    if (isThere) heading.current?.focus({ preventScroll: true });
  }, [isThere]);
  if (operation === undefined) {
    return error === null ? <Waiting lines={1} /> : <Failed error={error} again={() => void refetch()} />;
  }
  const stage = stageOf(operation, now);
  const told = operation.steps.flatMap(({ counts }) => packedIn(counts, t));
  return (
    <Stack gap="md" className="card" p="lg">
      <Title order={2} ref={heading} tabIndex={-1}>
        {titleOf(t, operation.type, stage)}
      </Title>
      <Text>{stateWords(t, operation, now)}</Text>
      <Text role="status">
        {stage === "done" && told.length > 0 && t("import.brought", { counts: listed(told, i18n.language) })}
      </Text>
      {(stage === "waiting" || stage === "failed") && <OperationActions operation={operation} stage={stage} />}
      <Group gap="md">
        {stage === "done" && (
          <Anchor component={Link} href="/memories" underline="always" size="sm">
            {t("import.look")}
          </Anchor>
        )}
        <Anchor component={Link} href={`/data/operations#${operationId}`} underline="always" size="sm">
          {t("import.follow")}
        </Anchor>
        <Button variant="default" size="xs" onClick={onAnother}>
          {t("import.another")}
        </Button>
      </Group>
    </Stack>
  );
}
