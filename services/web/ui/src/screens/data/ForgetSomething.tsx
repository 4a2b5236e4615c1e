import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Examples } from "./Examples";
import { Found } from "./Found";
import { NothingFound } from "./NothingFound";
import { findToForgetMutation } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { timeZoneHere } from "@/shared/timeZone";
import { Waiting } from "@/shared/Waiting";

/** Longest description the server reads. */
const LONGEST = 1000;

/** One sentence about what should go; then what it means, to be ticked; then what would go with it. */
export function ForgetSomething() {
  const { t } = useTranslation("data");
  const [sentence, setSentence] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const find = useMutation(findToForgetMutation());
  // Whose days are meant by "today": sent with this question only, and not kept.
  const look = (description: string) => find.mutate({ body: { description, time_zone: timeZoneHere() ?? null } });
  return (
    <Stack gap="xl">
      <div>
        <Title order={2}>{t("something.title")}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {t("something.about")}
        </Text>
      </div>
      <Stack gap="md">
        <form
          role="search"
          aria-label={t("something.title")}
          onSubmit={(event) => {
            event.preventDefault();
            if (sentence.trim() !== "") look(sentence.trim());
          }}
        >
          <Group align="flex-end" gap="sm">
            <TextInput
              ref={box}
              flex="1 1 260px"
              label={t("something.label")}
              placeholder={t("something.placeholder")}
              value={sentence}
              maxLength={LONGEST}
              onChange={(event) => setSentence(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button type="submit" variant="light" loading={find.isPending} disabled={sentence.trim() === ""}>
              {t("something.find")}
            </Button>
          </Group>
        </form>
        <div aria-live="polite">
          {find.isIdle && (
            <Examples
              onPick={(example) => {
                setSentence(example);
                look(example);
                box.current?.focus();
              }}
            />
          )}
          {find.isPending && <Waiting />}
          {find.isError && <Failed error={find.error} again={() => look(find.variables.body.description)} />}
          {find.data?.nothing != null && <NothingFound because={find.data.nothing} />}
        </div>
      </Stack>
      {find.data !== undefined && find.data.token !== null && (
        <Found
          key={find.data.token}
          found={find.data}
          token={find.data.token}
          onAgain={() => look(find.variables.body.description)}
          onForgotten={() => {
            setSentence("");
            find.reset();
            box.current?.focus();
          }}
        />
      )}
    </Stack>
  );
}
