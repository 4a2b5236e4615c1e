import { Button, Group, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { cancel } from "@/client";
import { codeOf } from "@/shared/problems";
import { settle } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

const SAID_MILLISECONDS = 5000;

/** What is said once something is hidden, and once it is back. */
export interface Said {
  hidden: string;
  undone: string;
}

interface Props {
  operationId: string;
  /** In place of the usual words. */
  said?: Said | undefined;
}

/** Says that something is hidden, and shows it again if asked in time, by button or by Ctrl+Z. */
export function UndoToast({ operationId, said }: Props) {
  const { t } = useTranslation("forgetting");
  const queries = useQueryClient();
  const words = useProblemWords();

  const say = (message: string) => settle(operationId, message, SAID_MILLISECONDS);
  const undo = useMutation({
    mutationFn: () => cancel({ path: { op_id: operationId } }),
    onSuccess: () => {
      say(said?.undone ?? t("undone"));
      return queries.invalidateQueries();
    },
    // Of anything else the offer stays: while its time is not over it can be tried again.
    onError: (error) => codeOf(error) === "too_late_to_undo" && say(t("tooLate")),
  });

  useHotkeys([["mod+Z", () => !undo.isPending && undo.mutate()]]);

  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <Text size="sm">{undo.isError ? words(undo.error) : (said?.hidden ?? t("hidden"))}</Text>
      <Button
        size="compact-sm"
        variant="light"
        flex="none"
        loading={undo.isPending}
        onClick={() => undo.mutate()}
        title={t("undoKeys")}
        aria-keyshortcuts="Control+Z Meta+Z"
      >
        {t("undo")}
      </Button>
    </Group>
  );
}
