import { Button, Group, Skeleton, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import classes from "./Inbox.module.css";
import { confirmLongTerm, type MemoryOut } from "@/client";
import { getExplanationOptions } from "@/client/@tanstack/react-query.gen";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { useMemoryChanged } from "@/shared/memories/changed";
import { Quote } from "@/shared/memories/Quote";
import { useRefusal } from "@/shared/memories/refusals";
import { useMemoryWords } from "@/shared/memories/words";
import { When } from "@/shared/When";
import { toast } from "@/shared/toast";

interface Props {
  /** The older one; what may contradict it is read with its explanation. */
  older: MemoryOut;
  onWhy: (memory: MemoryOut) => void;
}

type Decision = { keep: MemoryOut } | { both: readonly MemoryOut[] };

/** Two things that were said and may not both be true: the person decides. */
export function Conflict({ older, onWhy }: Props) {
  const { t } = useTranslation("memories");
  const words = useMemoryWords();
  const { data } = useQuery(getExplanationOptions({ path: { memory_id: older.id } }));
  const decide = useDecide();
  const newer = data?.contradicted_by ?? [];
  const choose = (decision: Decision) => {
    if (decide.isPending) return;
    keepFocus(openerNow());
    decide.mutate(decision);
  };
  const unknown = newer.length === 0;
  return (
    <article className={`card ${classes.conflict ?? ""}`}>
      <Title order={3} size="h4" fz="md" mb="sm">
        {t("conflict.question")}
      </Title>
      <ul className={classes.sides}>
        {[older, ...newer].map((memory) => (
          <li key={memory.id} className={classes.side}>
            <div>
              <Text id={`side-${memory.id}`} className="words" mb={6}>
                {memory.content}
              </Text>
              {memory.sources[0]?.quote != null ? (
                <Quote source={memory.sources[0]} short />
              ) : (
                <Text size="xs" c="dimmed">
                  {words.learned(memory)}
                  {t("separator")}
                  <When at={memory.spoken_at ?? memory.created_at} />
                </Text>
              )}
            </div>
            <Group gap={4}>
              <Button
                size="compact-sm"
                variant="light"
                disabled={unknown}
                aria-describedby={`side-${memory.id}`}
                onClick={() => choose({ keep: memory })}
              >
                {t("conflict.this")}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                fw={500}
                aria-describedby={`side-${memory.id}`}
                onClick={() => onWhy(memory)}
              >
                {t("act.why")}
              </Button>
            </Group>
          </li>
        ))}
        {data === undefined && (
          <li className={classes.side} aria-hidden>
            <Skeleton height={20} />
          </li>
        )}
      </ul>
      <Group justify="space-between" mt="sm" gap="xs">
        <Text size="xs" c="dimmed" flex="1 1 220px">
          {t("conflict.outcome")}
        </Text>
        <Button size="compact-sm" variant="default" disabled={unknown} onClick={() => choose({ both: newer })}>
          {t("conflict.both")}
        </Button>
      </Group>
    </article>
  );
}

function useDecide() {
  const { t } = useTranslation("memories");
  const changed = useMemoryChanged();
  const refusal = useRefusal();
  return useMutation({
    mutationFn: async (decision: Decision) => {
      // "Both" is said of each newer one: an older one may itself be the newer one of another pair.
      const said = "keep" in decision ? [decision.keep] : decision.both;
      const resolve = "keep" in decision ? "replaces" : "both";
      for (const { id } of said) {
        const { data } = await confirmLongTerm({ body: { memory_id: id, resolve }, throwOnError: true });
        changed(data);
      }
    },
    onSuccess: (_, decision) =>
      toast({ message: "keep" in decision ? t("conflict.decided") : t("conflict.decidedBoth") }),
    onError: (error) => toast({ message: refusal(error), color: "gray" }),
  });
}
