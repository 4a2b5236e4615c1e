import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { WhatLeaves } from "./WhatLeaves";
import { type ExportIn, exportMemory } from "@/client";
import { getConversationOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { useOnceKey } from "@/shared/once";
import { useFocusBack } from "@/shared/useFocusBack";

interface Props {
  /** What would be packed; `null` while nobody is asked. */
  request: ExportIn | null;
  onClose: () => void;
  /** It is being packed, by that operation. */
  onAccepted: (operationId: string) => void;
}

/** Asks before something leaves, and then has it packed; the focus goes back where it was. */
export function ConfirmExport({ request, onClose, onAccepted }: Props) {
  const queries = useQueryClient();
  const onceKey = useOnceKey();
  const [accepted, setAccepted] = useState<string>();
  const pack = useMutation({
    mutationFn: async (asked: ExportIn) => {
      const body = asked.scope === "user" ? { ...asked, confirmation: true } : asked; // they have just been asked
      // Tried again it is the same export; after one that was accepted the same choice means a new one.
      const headers = { "Idempotency-Key": onceKey([body, accepted]) };
      return (await exportMemory({ body, headers, throwOnError: true })).data;
    },
    onSuccess: ({ op_id }) => {
      setAccepted(op_id);
      onAccepted(op_id);
      return queries.invalidateQueries();
    },
  });
  useFocusBack(request !== null);

  if (request === null) return null;
  return (
    <Dialog
      request={request}
      error={pack.error}
      isPacking={pack.isPending}
      onConfirm={() => pack.mutate(request)}
      onClose={() => {
        if (pack.isPending) return; // what was asked for cannot be taken back by looking away
        pack.reset();
        onClose();
      }}
    />
  );
}

interface DialogProps {
  request: ExportIn;
  error: Error | null;
  isPacking: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** What leaves, what that means, and the decision (MC-17); nobody is asked about a conversation without a name. */
function Dialog({ request, error, isPacking, onConfirm, onClose }: DialogProps) {
  const { t } = useTranslation("data");
  const isAll = request.scope === "user";
  const path = { conversation_id: request.conversation_id ?? "" };
  const conversation = useQuery({ ...getConversationOptions({ path }), enabled: !isAll });
  const isKnown = isAll || conversation.data !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      title={isAll ? t("confirm.title.user") : t("confirm.title.conversation")}
      closeButtonProps={{ "aria-label": t("close"), disabled: isPacking }}
      size="lg"
      padding="lg"
    >
      <Stack gap="md">
        <WhatLeaves conversation={isAll ? undefined : conversation} />
        {error !== null && <Failed error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPacking} data-autofocus>
            {t("confirm.notNow")}
          </Button>
          <Button onClick={onConfirm} disabled={!isKnown} loading={isPacking}>
            {t("confirm.do")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
