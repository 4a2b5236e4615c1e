import { Anchor, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import type { OperationOut } from "@/client";
import { cancelMutation, retryMutation } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { OnDemand } from "@/shared/OnDemand";
import { isExport, type Stage } from "@/shared/operations/states";
import { part } from "@/shared/parts";
import { useFocusBack } from "@/shared/useFocusBack";

const OperationDetails = part(async () => ({ default: (await import("@/later")).OperationDetails }));

/** What can be done about an operation now: undo it, try again, see its proof or its technical details. */
export function OperationActions({ operation, stage }: { operation: OperationOut; stage: Stage }) {
  const { t } = useTranslation("data");
  const queries = useQueryClient();
  const [open, details] = useDisclosure(false);
  useFocusBack(open);
  const onSuccess = () => queries.invalidateQueries();
  const undo = useMutation({ ...cancelMutation(), onSuccess });
  const retry = useMutation({ ...retryMutation(), onSuccess });
  const path = { op_id: operation.id };
  const acting = (act: { mutate: (of: { path: typeof path }) => void }) => {
    keepFocus(openerNow()); // the button goes when it has worked
    act.mutate({ path });
  };
  const error = undo.error ?? retry.error;
  return (
    <>
      {error !== null && <Failed error={error} />}
      <Group gap="sm">
        {stage === "undoable" && (
          <Button size="xs" variant="light" loading={undo.isPending} onClick={() => acting(undo)}>
            {t("operations.undo")}
          </Button>
        )}
        {(stage === "waiting" || stage === "failed") && (
          <Button size="xs" variant="light" loading={retry.isPending} onClick={() => acting(retry)}>
            {t("operations.retry")}
          </Button>
        )}
        {operation.receipt_id !== null && stage !== "undone" && (
          <Anchor component={Link} href={`/receipts/${operation.receipt_id}`} size="sm" py={4}>
            {t("operations.receipt")}
          </Anchor>
        )}
        {isExport(operation) && stage === "done" && (
          <Anchor component={Link} href="/data/export" size="sm" py={4}>
            {t("operations.package")}
          </Anchor>
        )}
        <Anchor component="button" type="button" size="sm" py={4} c="dimmed" onClick={details.open}>
          {t("operations.details")}
        </Anchor>
      </Group>
      {open && (
        <OnDemand onFailed={details.close}>
          <OperationDetails operation={operation} onClose={details.close} />
        </OnDemand>
      )}
    </>
  );
}
