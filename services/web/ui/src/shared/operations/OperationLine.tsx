import { Anchor, Group, Text, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./OperationLine.module.css";
import { isForget, isRunning, secondsUntil, stageOf, STORES, stuckStep } from "./states";
import { StepMark } from "./StepMark";
import { useNow } from "./useNow";
import { endWords, operationTitle, reasonWords, stepStateWords, stepWords } from "./words";
import type { OperationOut } from "@/client";

/** An operation in one line: its name, where it is done, and why it waits. */
export function OperationLine({ operation }: { operation: OperationOut }) {
  const { t } = useTranslation("operations");
  const now = useNow(isRunning(operation));
  const stage = stageOf(operation, now);
  const stuck = stage === "waiting" || stage === "failed" ? stuckStep(operation) : undefined;
  const title = operationTitle(t, operation, stage);
  const end = endWords(t, operation, stage);
  const stores = operation.steps.filter(({ name }) => STORES.includes(name));
  return (
    <Group gap="xs" className={classes.line}>
      <Anchor component={Link} href={`/data/operations#${operation.id}`} size="sm" fw={560}>
        {title}
      </Anchor>
      {end !== null ? (
        <Text size="sm" c="dimmed" span>
          {end}
        </Text>
      ) : (
        <>
          {isForget(operation) && (
            <span className={classes.part}>
              {t("bar.hidden")}
              <IconCheck size={16} className={classes.done} aria-hidden />
            </span>
          )}
          {stores.map((step) => (
            <span key={step.name} className={classes.part} data-store>
              {stepWords(t, step.name)}
              <StepMark step={step} />
              <VisuallyHidden>{stepStateWords(t, step)}</VisuallyHidden>
            </span>
          ))}
        </>
      )}
      {stuck !== undefined && (
        <Text size="sm" c="dimmed" span>
          {reasonWords(
            t,
            stuck.last_error,
            stuck.next_retry_at === null ? null : secondsUntil(stuck.next_retry_at, now),
          )}
        </Text>
      )}
    </Group>
  );
}
