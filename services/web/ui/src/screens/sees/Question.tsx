import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Choices } from "./Choices";
import { Disclosure } from "./Disclosure";
import type { Asked } from "@/shared/preview";
import { sends } from "@/shared/sends";

/** The box in which one asks as if one were in a conversation, and what else decides about the answer. */
export function Question({ ask, busy }: { ask: (asked: Asked) => void; busy: boolean }) {
  const { t } = useTranslation("sees");
  const [text, setText] = useState("");
  const [choices, setChoices] = useState<Asked>({});
  const form = useId();

  const submit = () => {
    const question = text.trim();
    ask(question === "" ? choices : { ...choices, query_text: question });
  };

  return (
    <form
      id={form}
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="sm" p="md">
        <Textarea
          label={t("question.label")}
          description={t("question.about")}
          placeholder={t("question.example")}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!sends(event)) return;
            event.preventDefault();
            submit();
          }}
        />
        <Group justify="space-between" align="flex-start" gap="sm">
          <Disclosure label={t("choices.label")}>
            <Choices choices={choices} change={setChoices} />
          </Disclosure>
          <Button type="submit" loading={busy} ml="auto">
            {t("question.ask")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
