import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { Filters } from "./filters";
import classes from "./PickBar.module.css";
import { MOST_AT_ONCE, NOTHING_PICKED, type Picked, pickedOf, type Picking, shownOf } from "./picking";
import type { Row } from "./rows";
import { type SeveralChange, useChangeSeveral } from "./useChangeSeveral";
import { listLongTermIds, type OverviewOut } from "@/client";
import { useForget } from "@/shared/forgetting/Forgetting";
import { UNDO_SECONDS } from "@/shared/forgetting/useForgetAtOnce";
import { useNumbers } from "@/shared/numbers";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";
import { toast } from "@/shared/toast";
import { useFocusBack } from "@/shared/useFocusBack";
import { useProblemWords } from "@/shared/useProblemWords";

const MoveDialog = part(async () => ({ default: (await import("@/later")).MoveDialog }));

interface Props {
  rows: readonly Row[];
  /** What the whole list is narrowed down by; absent: the rows are all there is. */
  filters?: Filters;
  overview: OverviewOut | undefined;
  picked: Picked;
  picking: Picking;
  /** Some of them are others now, and elsewhere in the list. */
  onMoved: () => void;
}

/** How many memories are picked, and what can be done with all of them; it stays in view under the list. */
export function PickBar({ rows, filters, overview, picked, picking: { pick, forgotten, stop }, onMoved }: Props) {
  const { t } = useTranslation("memories");
  const number = useNumbers();
  const words = useProblemWords();
  const forget = useForget();
  const [moving, setMoving] = useState(false);
  const ids = pickedOf(rows, picked);
  const shown = shownOf(rows, picked);
  const standing = rows.flatMap((row) => ("memory" in row ? [row.memory.id] : []));
  const total = filters === undefined ? standing.length : Math.max(overview?.memories ?? 0, standing.length);
  const most = Math.min(total, MOST_AT_ONCE);
  const isAll = most > 0 && ids.length >= most;
  const paused = shown.length > 0 && shown.every(({ disabled }) => disabled);
  useFocusBack(true);
  useFocusBack(moving);

  const all = useMutation({
    mutationFn: async () =>
      filters === undefined ? standing : (await listLongTermIds({ query: filters, throwOnError: true })).data.ids,
    onSuccess: (found) => pick(new Set(found)),
    onError: (error) => toast({ message: words(error), color: "gray" }),
  });
  const several = useChangeSeveral(({ act }) => {
    setMoving(false);
    if (act === "move") onMoved();
    stop();
  });
  const change = (wanted: SeveralChange) => several.mutate({ ids, change: wanted });
  const look = () => {
    let accepted = false;
    forget({
      target: { scope: "selection", token: null, ids, quotes: shown.map(({ content }) => content) },
      undoSeconds: UNDO_SECONDS,
      onForgotten: (operationId) => {
        accepted = true;
        forgotten(shown, operationId);
      },
      onClosed: () => accepted && stop(),
    });
  };
  const small = { size: "compact-sm", variant: "default" } as const;
  const act = { ...small, disabled: ids.length === 0 || several.isPending };

  return (
    <section className={classes.bar} aria-label={t("pick.label")}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status" flex="1 1 auto">
          {several.isPending
            ? t("pick.changing", { count: ids.length })
            : ids.length >= MOST_AT_ONCE
              ? t("pick.most", { count: ids.length })
              : t("pick.picked", { count: ids.length })}
        </Text>
        <Group gap="xs">
          <Button {...small} loading={all.isPending} onClick={() => (isAll ? pick(NOTHING_PICKED) : all.mutate())}>
            {isAll
              ? t("pick.none")
              : total > MOST_AT_ONCE
                ? t("pick.first", { number: number(most) })
                : t("pick.all", { number: number(most) })}
          </Button>
          <Button {...small} onClick={stop} disabled={several.isPending}>
            {t("cancel")}
          </Button>
          <Button {...act} onClick={() => change({ act: "keep" })}>
            {t("act.keep")}
          </Button>
          <Button {...act} onClick={() => change({ act: paused ? "resume" : "pause" })}>
            {paused ? t("act.resume") : t("act.pause")}
          </Button>
          <Button {...act} onClick={() => setMoving(true)}>
            {t("pick.moveTo")}
          </Button>
          <Button size="compact-sm" disabled={ids.length === 0 || several.isPending} onClick={look}>
            {t("pick.forget")}
          </Button>
        </Group>
      </Group>
      {moving && (
        <OnDemand onFailed={() => setMoving(false)}>
          <MoveDialog
            count={ids.length}
            isMoving={several.isPending}
            onMove={change}
            onClose={() => setMoving(false)}
          />
        </OnDemand>
      )}
    </section>
  );
}
