import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./Forgotten.module.css";
import { getOperationOptions } from "@/client/@tanstack/react-query.gen";
import { stageOf } from "@/shared/operations/states";
import { useNow } from "@/shared/operations/useNow";

interface Props {
  operationId: string;
  /** It was undone: what was here is back. */
  onUndone: (operationId: string) => void;
}

/** Stands where a memory stood that was forgotten just now, and says how far its erasure is. */
export function Forgotten({ operationId, onUndone }: Props) {
  const { t } = useTranslation("memories");
  const { data: operation } = useQuery(getOperationOptions({ path: { op_id: operationId } }));
  const note = useRef<HTMLDivElement>(null);
  const now = useNow(operation?.not_before != null && operation.status === "pending");
  const undone = operation?.status === "cancelled";

  // The button that was pressed went with the card: who uses the keyboard goes on from here.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) note.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (undone) onUndone(operationId);
  }, [undone, onUndone, operationId]);

  const stage = operation === undefined ? "undoable" : stageOf(operation, now);
  return (
    <div ref={note} tabIndex={-1} className={classes.note} role="status">
      <Text size="sm">{t(`forgotten.${stage}`)}</Text>
      <Anchor component={Link} href="/data/operations" size="sm" underline="always">
        {t("forgotten.follow")}
      </Anchor>
    </div>
  );
}
