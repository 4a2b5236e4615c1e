import { Collapse, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import type { Why } from "./assistant";
import classes from "./chat.module.css";
import { sourcesOf } from "./citations";
import { SourceCard } from "./SourceCard";
import type { MessageOut } from "@/client";

/** How many memories an answer used; opens which, where they come from, and why they were given. */
export function Used({ message, reasons }: { message: MessageOut; reasons: Readonly<Record<string, Why>> }) {
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState(false);
  const list = useId();
  const sources = sourcesOf(message.content);
  if (sources.length === 0) {
    return (
      <Text size="xs" c="dimmed" className={classes.footWords}>
        {t("used.none")}
      </Text>
    );
  }
  return (
    <div className={classes.used}>
      <UnstyledButton
        className={classes.disclosure}
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
      >
        {t("used.some", { count: sources.length })}
        <IconChevronDown size={14} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      <Collapse expanded={open}>
        <ol id={list} className={classes.sources}>
          {open &&
            sources.map(({ id }) => (
              <li key={id} className="card">
                <SourceCard id={id} conversation={message.conversation_id} reason={reasons[id]} />
              </li>
            ))}
        </ol>
      </Collapse>
    </div>
  );
}
