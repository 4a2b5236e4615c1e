import { Group, List, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import classes from "./Steps.module.css";
import type { OperationOut, StepOut } from "@/client";
import { isRunning, secondsUntil, stuckStep } from "@/shared/operations/states";
import { StepMark } from "@/shared/operations/StepMark";
import { reasonWords, stepStateWords, stepWords } from "@/shared/operations/words";
import { packedIn } from "@/shared/packed";

/** Steps that count the records of a package. */
const PACKING: readonly string[] = ["package", "apply"];

/** What is done where: open while there is something to watch. */
export function Steps({ operation, now }: { operation: OperationOut; now: number }) {
  const { t } = useTranslation("data");
  const [open, { toggle }] = useDisclosure(isRunning(operation) || operation.status === "failed");
  // The operation says itself what holds it up most.
  const said = stuckStep(operation);
  const reasonOf = ({ last_error, status, next_retry_at: at }: StepOut): string | null =>
    last_error === null || status === "succeeded"
      ? null
      : reasonWords(t, last_error, at === null ? null : secondsUntil(at, now));
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <UnstyledButton onClick={toggle} aria-expanded={open} className={classes.toggle}>
        <Chevron size={16} aria-hidden />
        {t("operations.steps", { count: operation.steps.length })}
      </UnstyledButton>
      {open && (
        <List listStyleType="none" spacing={6} mt="xs" className={classes.steps}>
          {operation.steps.map((step) => (
            <List.Item key={step.name}>
              <Step step={step} reason={step === said ? null : reasonOf(step)} />
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}

function Step({ step, reason }: { step: StepOut; reason: string | null }) {
  const { t } = useTranslation("data");
  const { erased, turns, ...counts } = step.counts;
  const facts = [
    erased !== undefined && t("operations.removed", { count: erased }),
    turns !== undefined && turns > 0 && t("operations.turns", { count: turns }),
    ...(PACKING.includes(step.name) ? packedIn(counts, t) : []),
    step.attempts > 1 && t("operations.attempts", { count: step.attempts }),
  ].filter((fact) => fact !== false);
  return (
    <Group gap="xs" align="baseline" className={classes.step}>
      <StepMark step={step} />
      <Text size="sm" span>
        {stepWords(t, step.name)}
        <VisuallyHidden>: {stepStateWords(t, step)}</VisuallyHidden>
      </Text>
      {facts.length > 0 && (
        <Text size="sm" c="dimmed" span>
          {facts.join(" · ")}
        </Text>
      )}
      {reason !== null && (
        <Text size="sm" c="dimmed" span w="100%" pl={26}>
          {reason}
        </Text>
      )}
    </Group>
  );
}
