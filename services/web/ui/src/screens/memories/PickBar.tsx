import { Button, Group, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./PickBar.module.css";
import { allOf, MOST_AT_ONCE, NOTHING_PICKED, type Picked, pickedOf, type Picking } from "./picking";
import type { Row } from "./rows";
import { ForgetDialog } from "@/shared/forgetting/ForgetDialog";
import type { Target } from "@/shared/forgetting/target";
import { UNDO_SECONDS } from "@/shared/forgetting/useForgetSmall";
import { useFocusBack } from "@/shared/useFocusBack";

interface Props {
  rows: readonly Row[];
  picked: Picked;
  picking: Picking;
}

/** How many memories are picked, and what can be done with all of them; it stays in view under the list. */
export function PickBar({ rows, picked, picking: { pick, forgotten, stop } }: Props) {
  const { t } = useTranslation("memories");
  const [target, setTarget] = useState<(Target & { scope: "selection" }) | null>(null);
  const memories = pickedOf(rows, picked);
  const all = allOf(rows);
  const isAll = all.size > 0 && memories.length === all.size;
  const accepted = useRef(false);
  useFocusBack(true);

  return (
    <section className={classes.bar} aria-label={t("pick.label")}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status" flex="1 1 auto">
          {memories.length >= MOST_AT_ONCE
            ? t("pick.most", { count: memories.length })
            : t("pick.picked", { count: memories.length })}
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => pick(isAll ? NOTHING_PICKED : all)}>
            {isAll ? t("pick.none") : t("pick.all")}
          </Button>
          <Button size="compact-sm" variant="default" onClick={stop}>
            {t("cancel")}
          </Button>
          <Button
            size="compact-sm"
            disabled={memories.length === 0}
            onClick={() =>
              setTarget({
                scope: "selection",
                token: null,
                ids: memories.map(({ id }) => id),
                quotes: memories.map(({ content }) => content),
              })
            }
          >
            {t("pick.forget")}
          </Button>
        </Group>
      </Group>
      <ForgetDialog
        target={target}
        undoSeconds={UNDO_SECONDS}
        onForgotten={(operationId) => {
          accepted.current = true;
          forgotten(target?.ids ?? [], operationId);
        }}
        onClose={() => {
          setTarget(null);
          if (accepted.current) stop();
        }}
      />
    </section>
  );
}
