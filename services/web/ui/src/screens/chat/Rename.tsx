import { Button, Group, TextInput } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { type ConversationOut, updateConversation } from "@/client";
import { getConversationQueryKey } from "@/client/@tanstack/react-query.gen";
import { useProblemWords } from "@/shared/useProblemWords";

const TITLE_MAX = 200;
const MENU_CLOSED_MILLISECONDS = 50;

/** A field for the conversation's name; an empty one takes the name away. */
export function Rename({ conversation, onDone }: { conversation: ConversationOut; onDone: () => void }) {
  const { t } = useTranslation("chat");
  const words = useProblemWords();
  const queries = useQueryClient();
  const [title, setTitle] = useState(conversation.title ?? "");
  const field = useRef<HTMLInputElement>(null);
  // The menu that was used gives the focus back to its button once it is closed; only then this takes it.
  useTimeout(() => field.current?.select(), MENU_CLOSED_MILLISECONDS, { autoInvoke: true });
  const path = { conversation_id: conversation.id };
  const rename = useMutation({
    mutationFn: async () => {
      const body = { title: title.trim() === "" ? null : title.trim() };
      return (await updateConversation({ path, body, throwOnError: true })).data;
    },
    onSuccess: (changed) => {
      queries.setQueryData(getConversationQueryKey({ path }), changed);
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form onSubmit={submit} className={classes.rename}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          aria-label={t("conversation.name")}
          placeholder={t("conversation.name")}
          value={title}
          maxLength={TITLE_MAX}
          onChange={(event) => setTitle(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && !event.nativeEvent.isComposing && onDone()}
          error={rename.error !== null && words(rename.error)}
          ref={field}
          flex={1}
        />
        <Button type="submit" loading={rename.isPending}>
          {t("conversation.save")}
        </Button>
      </Group>
    </form>
  );
}
