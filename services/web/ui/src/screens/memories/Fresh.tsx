import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import { FreshRow } from "./FreshRow";
import { InboxPart } from "./InboxPart";
import { confirmLongTerm, type MemoryOut } from "@/client";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useMemoryChanged } from "@/shared/memories/changed";
import { useRefusal } from "@/shared/memories/refusals";
import { useMemoryActions } from "@/shared/memories/useMemoryActions";

interface Props {
  memories: readonly MemoryOut[];
  acts: Acts;
}

/** What was learned and not looked at yet: keep it, put it right, or forget it. */
export function Fresh({ memories, acts }: Props) {
  const { t } = useTranslation("memories");
  const { confirm } = useMemoryActions();
  const keepAll = useKeepAll();
  return (
    <InboxPart
      title={t("fresh.title", { count: memories.length })}
      about={t("fresh.about")}
      action={
        memories.length > 1 && (
          <Button
            size="compact-sm"
            variant="default"
            loading={keepAll.isPending}
            onClick={() => {
              keepFocus(openerNow());
              keepAll.mutate(memories);
            }}
          >
            {t("fresh.keepAll", { count: memories.length })}
          </Button>
        )
      }
    >
      {memories.map((memory) => (
        <FreshRow
          key={memory.id}
          memory={memory}
          acts={acts}
          onKeep={() => {
            keepFocus(openerNow());
            confirm.mutate({ memory_id: memory.id });
          }}
        />
      ))}
    </InboxPart>
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
      notifications.show({
        message: [t("fresh.kept", { count: kept }), broken === undefined ? "" : refusal(broken)]
          .filter(Boolean)
          .join(t("sentenceGap")),
      }),
  });
}
