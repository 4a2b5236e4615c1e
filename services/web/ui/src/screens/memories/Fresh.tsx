import { Button, Group, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import classes from "./Inbox.module.css";
import { confirmLongTerm, type MemoryOut } from "@/client";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useMemoryChanged } from "@/shared/memories/changed";
import { useRefusal } from "@/shared/memories/refusals";
import { toast } from "@/shared/toast";

interface Props {
  memories: readonly MemoryOut[];
  /** Whether others follow when these are decided. */
  more: boolean;
  /** Whether the list shows nothing else. */
  alone: boolean;
  onAlone: (alone: boolean) => void;
}

/** How many memories were learned and not looked at yet. They stand in the list once, marked, and can be kept there. */
export function Fresh({ memories, more, alone, onAlone }: Props) {
  const { t } = useTranslation("memories");
  const keepAll = useKeepAll();
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.inbox}>
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} id={id} size="h3" tabIndex={-1}>
            {t("fresh.title", { count: memories.length })}
          </Title>
          <Text size="sm" c="dimmed">
            {t("fresh.about")}
            {more && ` ${t("inbox.follow")}`}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" aria-pressed={alone} onClick={() => onAlone(!alone)}>
            {alone ? t("fresh.all") : t("fresh.only")}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            loading={keepAll.isPending}
            onClick={() => {
              keepFocus(openerNow());
              keepAll.mutate(memories, { onSuccess: () => alone && onAlone(false) });
            }}
          >
            {t("fresh.keepAll", { count: memories.length })}
          </Button>
        </Group>
      </Group>
    </section>
  );
}

/** Keeps one after the other; when it breaks off, what was kept stays kept, and how many is said. */
function useKeepAll() {
  const { t } = useTranslation("memories");
  const changed = useMemoryChanged();
  const refusal = useRefusal();
  return useMutation({
    mutationFn: async (memories: readonly MemoryOut[]) => {
      let kept = 0;
      try {
        for (const { id } of memories) {
          const { data } = await confirmLongTerm({ body: { memory_id: id }, throwOnError: true });
          kept += 1;
          changed(data);
        }
        return { kept, broken: undefined };
      } catch (error) {
        return { kept, broken: error };
      }
    },
    onSuccess: ({ kept, broken }) =>
      toast({
        message: [t("fresh.kept", { count: kept }), broken === undefined ? "" : refusal(broken)]
          .filter(Boolean)
          .join(t("sentenceGap")),
      }),
  });
}
