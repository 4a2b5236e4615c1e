import { Button, Checkbox, Group, Modal, Stack } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { consequencesOf } from "./consequences";
import type { ForgetDialogProps } from "./ForgetDialog";
import { Outcome } from "./Outcome";
import { type Target, wishFor } from "./target";
import { useUndoOffer } from "./useUndoOffer";
import { WhatGoes } from "./WhatGoes";
import { WhatStays } from "./WhatStays";
import { forgetMutation } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { useOnceKey } from "@/shared/once";
import { codeOf } from "@/shared/problems";
import { Waiting } from "@/shared/Waiting";

const TITLES: Record<Target["scope"], (t: TFunction) => string> = {
  message: (t) => t("forgetting:title.message"),
  conversation: (t) => t("forgetting:title.conversation"),
  selection: (t) => t("forgetting:title.selection"),
};

/** A selection is good for the state it was made in, and for a quarter of an hour. */
const CHANGED: readonly string[] = ["selection_changed", "selection_invalid"];

type Props = ForgetDialogProps & { target: Target };

/** What would go and what stays, the decision, and then what has happened. */
export function ConsequencesDialog({ target, onClose, onForgotten, onChanged, undoSeconds = 0 }: Props) {
  const { t } = useTranslation("forgetting");
  const queries = useQueryClient();
  const offerUndo = useUndoOffer();
  const onceKey = useOnceKey();
  const [cascade, setCascade] = useState(false);
  const foreseen = useQuery({ ...consequencesOf(target, cascade), placeholderData: keepPreviousData });
  const forget = useMutation({
    ...forgetMutation(),
    onSuccess: ({ op_id }) => {
      onForgotten?.(op_id);
      if (undoSeconds > 0) {
        offerUndo(op_id, undoSeconds);
        onClose();
      }
      void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== "consequences" });
    },
  });

  const close = () => {
    if (!forget.isPending) onClose(); // what was asked for cannot be taken back by looking away
  };
  const undoable = undoSeconds > 0 ? { undo_seconds: undoSeconds } : {};
  const error = forget.error ?? foreseen.error;
  const changed = error !== null && onChanged !== undefined && CHANGED.includes(codeOf(error));
  return (
    <Modal
      opened
      onClose={close}
      returnFocus={false}
      title={forget.data === undefined ? TITLES[target.scope](t) : t("title.forgotten")}
      closeButtonProps={{ "aria-label": t("close"), disabled: forget.isPending }}
      size="lg"
      padding="lg"
    >
      {forget.data !== undefined ? (
        <Outcome operationId={forget.data.op_id} onClose={onClose} />
      ) : changed ? (
        <Stack>
          <span role="alert">{t("changed")}</span>
          <Group justify="flex-end">
            <Button
              autoFocus
              onClick={() => {
                onClose();
                onChanged();
              }}
            >
              {t("findAgain")}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="lg">
          {error !== null && (
            <Failed error={error} again={() => (forget.isError ? forget.reset() : foreseen.refetch())} />
          )}
          {foreseen.isPending && <Waiting lines={2} />}
          {foreseen.data !== undefined && (
            <>
              <WhatGoes of={foreseen.data} />
              <WhatStays of={foreseen.data} scope={target.scope} cascade={cascade} />
              {target.scope === "message" && (
                <Checkbox
                  checked={cascade}
                  onChange={(event) => setCascade(event.currentTarget.checked)}
                  label={foreseen.data.role === "user" ? t("withAnswer") : t("withQuestion")}
                />
              )}
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={forget.isPending} data-autofocus>
              {t("keep")}
            </Button>
            <Button
              onClick={() => {
                const body = { ...wishFor(target, cascade), ...undoable };
                forget.mutate({ body, headers: { "Idempotency-Key": onceKey(body) } });
              }}
              loading={forget.isPending}
              disabled={foreseen.data === undefined || foreseen.isPlaceholderData}
            >
              {t("forget")}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
