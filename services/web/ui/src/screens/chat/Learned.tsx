import { Skeleton, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { useSentNow } from "./useExchange";
import { useLearning } from "./useLearning";
import type { MemoryOut, MessageOut } from "@/client";

// What can be done with it is not needed to read a conversation, so it does not delay that.
const LearnedMemory = lazy(() => import("./LearnedMemory"));

interface Props {
  message: MessageOut;
  memories: readonly MemoryOut[];
  answered: boolean;
}

/** What was learned from a message; right after it was sent also that it is still being learned, or that nothing was. */
export function Learned({ message, memories, answered }: Props) {
  const { t } = useTranslation("chat");
  const sentNow = useSentNow(message.id);
  const state = useLearning(message.id, sentNow && answered && memories.length === 0);
  const [opened, setOpened] = useState<boolean>();
  const list = useId();
  const open = opened ?? sentNow;
  return (
    <div className={classes.learned}>
      <div role="status">
        {memories.length === 0 && state !== undefined && (
          <Text size="xs" c="dimmed" className={classes.footWords}>
            {t(`learned.${state}`)}
          </Text>
        )}
        {memories.length > 0 && (
          <UnstyledButton
            className={classes.disclosure}
            aria-expanded={open}
            aria-controls={list}
            onClick={() => setOpened(!open)}
          >
            {t("learned.some", { count: memories.length })}
            <IconChevronDown size={14} aria-hidden className={classes.chevron} />
          </UnstyledButton>
        )}
      </div>
      {open && memories.length > 0 && (
        <ul id={list} className={classes.chips}>
          {memories.map((memory) => (
            <li key={memory.id}>
              <Suspense fallback={<Skeleton height={84} radius="md" aria-hidden />}>
                <LearnedMemory memory={memory} />
              </Suspense>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
