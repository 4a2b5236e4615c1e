import { Alert, Anchor, Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { useRefusal } from "./refusals";
import { useWithheldWords, withheldIn } from "./withheld";
import { getHistory, getLongTerm, type MemoryOut } from "@/client";
import { codeOf } from "@/shared/problems";

/** The memory as it is by now: who edited it made a newer one, which holds instead. */
async function inForce(id: string): Promise<MemoryOut> {
  const path = { memory_id: id };
  const { data } = await getLongTerm({ path, throwOnError: true });
  if (data.validity !== "superseded") return data;
  const { data: history } = await getHistory({ path, throwOnError: true });
  return history.memories.findLast(({ validity }) => validity !== "superseded") ?? data;
}

interface Props {
  error: unknown;
  memory: MemoryOut | undefined;
  /** The memory as it is by now, for somebody who wants to save over it. */
  onCurrent: (memory: MemoryOut) => void;
}

/** Why nothing was saved, and the way on from there. What was typed stays where it is. */
export function RefusedSave({ error, memory, onCurrent }: Props) {
  const { t } = useTranslation("memories");
  const refusal = useRefusal();
  const withheld = useWithheldWords();
  const code = codeOf(error);
  const current = useMutation({
    mutationFn: inForce,
    onSuccess: onCurrent,
  });
  const kinds = withheldIn(error);
  return (
    <Alert color="gray" variant="outline" role="alert">
      <Text size="sm">
        {kinds.length > 0 ? t("withheld.refused", { kinds: withheld(kinds) }) : refusal(current.error ?? error)}
      </Text>
      {code === "precondition_failed" && memory !== undefined && (
        <Button
          mt="xs"
          size="compact-sm"
          variant="default"
          loading={current.isPending}
          onClick={() => current.mutate(memory.id)}
        >
          {t("edit.anyway")}
        </Button>
      )}
      {code === "memory_superseded" && memory !== undefined && (
        <Anchor component={Link} href={`/memories/${memory.id}`} size="sm" underline="always">
          {t("edit.seeNewer")}
        </Anchor>
      )}
      {code === "longterm_off" && (
        <Anchor component={Link} href="/settings" size="sm" underline="always">
          {t("edit.openSettings")}
        </Anchor>
      )}
    </Alert>
  );
}
