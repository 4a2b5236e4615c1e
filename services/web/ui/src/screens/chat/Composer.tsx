import { ActionIcon, Text } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { type FormEvent, type KeyboardEvent, useRef } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { sends } from "@/shared/sends";

const WORDS_MAX = 4_000;
const COUNTED_FROM = 3_600;

interface Props {
  words: string;
  onWords: (words: string) => void;
  onSay: (words: string) => void;
  /** Something is being said already: one may type on, and send after it. */
  busy: boolean;
  /** Whether to begin with the focus here, because the person was typing. */
  focused: boolean;
}

/** A field that grows with what is typed. Enter sends, Shift+Enter begins a line, and choosing a character never sends. */
export function Composer({ words, onWords, onSay, busy, focused }: Props) {
  const { t } = useTranslation("chat");
  const field = useRef<HTMLTextAreaElement>(null);
  const length = [...words].length;
  const ready = words.trim() !== "" && length <= WORDS_MAX && !busy;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onSay(words.trim());
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (sends(event)) submit(event);
  };
  return (
    <form className={classes.dock} onSubmit={submit} aria-label={t("composer.label")}>
      <div className={classes.composer}>
        <div className={classes.field} data-words={words}>
          <textarea
            ref={field}
            rows={1}
            autoFocus={focused}
            value={words}
            aria-label={t("composer.message")}
            placeholder={t("composer.placeholder")}
            onChange={(event) => onWords(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <ActionIcon type="submit" size={36} radius="xl" disabled={!ready} aria-label={t("composer.send")}>
          <IconArrowUp size={20} aria-hidden />
        </ActionIcon>
        {length > COUNTED_FROM && (
          <Text size="xs" c={length > WORDS_MAX ? "error" : "dimmed"} className={classes.count} role="status">
            {t("composer.count", { length, max: WORDS_MAX })}
          </Text>
        )}
      </div>
    </form>
  );
}
