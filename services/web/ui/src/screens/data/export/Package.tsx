import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Ready } from "./Ready";
import type { Again } from "./wanted";
import { OperationActions } from "../OperationActions";
import type { ExportOut, OperationOut } from "@/client";
import { getExportOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { listed } from "@/shared/listed";
import { isRunning, stageOf } from "@/shared/operations/states";
import { useNow } from "@/shared/operations/useNow";
import { operationTitle, stateWords } from "@/shared/operations/words";
import { packedIn } from "@/shared/packed";
import { codeOf } from "@/shared/problems";
import { Waiting } from "@/shared/Waiting";
import { When } from "@/shared/When";

interface Props {
  operation: OperationOut;
  isNew: boolean;
  onAgain: (wanted: Again) => void;
}

/** A package and its state: it is written, can be had, or is gone, and then why. */
export function Package({ operation, isNew, onAgain }: Props) {
  const { t } = useTranslation("data");
  const now = useNow(true);
  const stage = stageOf(operation, now);
  const card = useRef<HTMLDivElement>(null);
  const found = useQuery({ ...getExportOptions({ path: { op_id: operation.id } }), enabled: stage === "done" });
  useEffect(() => {
    if (isNew) card.current?.focus();
  }, [isNew]);

  const isGone =
    (found.error !== null && codeOf(found.error) === "export_gone") ||
    (found.data?.expires_at != null && Date.parse(found.data.expires_at) <= now);
  const isOver = isGone || stage === "undone";
  const again = sameAgain(operation, found.data);
  const title = `package-${operation.id}`;
  return (
    <Stack component="article" ref={card} tabIndex={-1} aria-labelledby={title} className="card" p="lg" gap="md">
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Title order={3} id={title}>
          {operationTitle(t, operation, stage)}
        </Title>
        <Text size="sm" c="dimmed" flex="none">
          <When at={operation.created_at} />
        </Text>
      </Group>
      {stage !== "done" && (
        <div>
          <Text size="sm">{stateWords(t, operation, now)}</Text>
          {isRunning(operation) && <SoFar operation={operation} />}
        </div>
      )}
      {isGone && <Text size="sm">{t("package.gone")}</Text>}
      {stage === "done" && found.isPending && <Waiting lines={1} />}
      {found.error !== null && !isGone && <Failed error={found.error} again={() => void found.refetch()} />}
      {found.data?.ready === true && !isGone && <Ready found={found.data} />}
      {isOver && again !== undefined && (
        <Group>
          <Button size="xs" variant="default" onClick={() => onAgain(again)}>
            {t("package.again")}
          </Button>
        </Group>
      )}
      {(stage === "waiting" || stage === "failed") && <OperationActions operation={operation} stage={stage} />}
    </Stack>
  );
}

/** The same export again, if it is known: of a package that is gone only that it was of everything. */
function sameAgain({ type }: OperationOut, found: ExportOut | undefined): Again | undefined {
  if (type === "export_user") return { scope: "user" };
  const conversation = found?.conversation_id ?? undefined;
  return type === "export_conversation" && conversation !== undefined
    ? { scope: "conversation", conversation }
    : undefined;
}

/** What is in it already; how much there will be nobody knows before it is done. */
function SoFar({ operation }: { operation: OperationOut }) {
  const { t, i18n } = useTranslation("data");
  const told = operation.steps.flatMap(({ counts }) => packedIn(counts, t));
  if (told.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {t("package.soFar", { counts: listed(told, i18n.language) })}
    </Text>
  );
}
