import { Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { LearnedMemory } from "./LearnedMemory";
import { useSentNow } from "./useExchange";
import { useLearning } from "./useLearning";
import type { MemoryOut, MessageOut } from "@/client";

interface Props {
  message: MessageOut;
  memories: readonly MemoryOut[];
  answered: boolean;
  /** Whether it is the newest its person said there: after a reload, too, it is told that learning from it takes long. */
  newest: boolean;
}

/**
 * What was learned from a message; right after it was sent also that it is still being learned, or that nothing was.
 */
export function Learned({ message, memories, answered, newest }: Props) {
  const { t } = useTranslation("chat");
  const sentNow = useSentNow(message.id);
  const learning = useLearning(message.id, (sentNow || newest) && answered && memories.length === 0);
  const told = sentNow || learning?.state === "late" ? learning : undefined;
  const [opened, setOpened] = useState<boolean>();
  const list = useId();
  const open = opened ?? sentNow;
  return (
    <div className={classes.learned}>
      <div role="status">
        {memories.length === 0 && told !== undefined && (
          <Text size="xs" c="dimmed" className={classes.footWords}>
            {told.state === "late" ? t("learned.late", { count: told.ahead }) : t(`learned.${told.state}`)}
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
              <LearnedMemory memory={memory} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
