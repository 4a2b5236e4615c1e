import { ActionIcon, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import classes from "./OperationsBar.module.css";
import type { OperationOut } from "@/client";
import { listOperationsOptions } from "@/client/@tanstack/react-query.gen";
import { OperationLine } from "@/shared/operations/OperationLine";
import { useNow } from "@/shared/operations/useNow";
import { useShownOperations } from "@/shared/operations/useShownOperations";
import { newsWords } from "@/shared/operations/words";

/** So many of the newest are looked at: who has more under way finds them under Data. */
const NEWEST = 10;

/** What is being erased right now, on every page, and for some seconds that it is done. */
export function OperationsBar() {
  const { data } = useQuery(listOperationsOptions({ query: { limit: NEWEST } }));
  const shown = useShownOperations(data);
  const { t } = useTranslation("operations");
  const now = useNow(false);
  const [newest] = shown;
  return (
    <>
      {/* Always there, so that what comes into it is read aloud. */}
      <VisuallyHidden role="status">{newest !== undefined && newsWords(t, newest, now)}</VisuallyHidden>
      {newest !== undefined && <Bar operations={shown} />}
    </>
  );
}

function Bar({ operations }: { operations: readonly OperationOut[] }) {
  const { t } = useTranslation("operations");
  const [open, { toggle }] = useDisclosure(false);
  const more = operations.length - 1;
  const lines = open ? operations : operations.slice(0, 1);
  const Chevron = open ? IconChevronDown : IconChevronUp;
  return (
    <section className={classes.bar} aria-label={t("bar.label")}>
      <ul className={classes.lines}>
        {lines.map((operation) => (
          <li key={operation.id}>
            <OperationLine operation={operation} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Group gap="xs" wrap="nowrap" className={classes.more}>
          {!open && (
            <Text size="xs" c="dimmed" aria-hidden>
              +{more}
            </Text>
          )}
          <ActionIcon variant="subtle" color="gray" onClick={toggle} aria-expanded={open}>
            <Chevron size={18} aria-hidden />
            <VisuallyHidden>{open ? t("bar.hide") : t("bar.show")}</VisuallyHidden>
          </ActionIcon>
        </Group>
      )}
    </section>
  );
}
