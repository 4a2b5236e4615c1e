import { Popover, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { Why } from "./assistant";
import classes from "./chat.module.css";
import type { Source } from "./citations";
import { SourceCard } from "./SourceCard";

interface Props {
  source: Source;
  conversation: string;
  reason?: Why | undefined;
}

/** A small number that opens what is cited. */
export function Citation({ source, conversation, reason }: Props) {
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState(false);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      width="min(320px, calc(100vw - 32px))"
      position="top"
      withArrow
      shadow="md"
      trapFocus
      returnFocus
      withinPortal={false} // what it cites belongs to the page's main part, also for who reads by landmarks
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.citation}
          aria-label={t("source.open", { number: source.number })}
          onClick={() => setOpen(!open)}
        >
          {source.number}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.source} aria-label={t("source.label", { number: source.number })}>
        {open && <SourceCard id={source.id} conversation={conversation} reason={reason} />}
      </Popover.Dropdown>
    </Popover>
  );
}
