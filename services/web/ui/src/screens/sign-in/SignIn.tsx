import { Alert, Box, Button, Code, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./signIn.module.css";
import { tokenIn } from "./tokenIn";
import { ColourScheme } from "@/app/ColourScheme";
import { LanguageSwitch } from "@/app/LanguageSwitch";
import { goOn, useExpired, useRefusedLink } from "@/app/session";
import { signIn } from "@/client";
import { useProblemWords } from "@/shared/useProblemWords";

const LINK_COMMAND = "memory-center sign-in";
const TOKEN_COMMAND = "memory-center token --user me";

/** Nobody is signed in: says what this is, and lets a person in by link or by token. */
export function SignIn() {
  const { t } = useTranslation("signIn");
  const { t: common } = useTranslation();
  const words = useProblemWords();
  const queries = useQueryClient();
  const refusedLink = useRefusedLink();
  const expired = useExpired();
  const [pasted, setPasted] = useState("");
  const title = `${t("title")} · ${common("product")}`;
  useEffect(() => {
    document.title = title;
  }, [title]);

  const enter = useMutation({
    mutationFn: async () => (await signIn({ body: { token: tokenIn(pasted) }, throwOnError: true })).data,
    onSuccess: (session) => goOn(queries, session),
  });
  const refusal = enter.error ?? (enter.isIdle ? refusedLink : null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tokenIn(pasted) !== "") enter.mutate();
  };
  return (
    <>
      <Group component="header" className={classes.header} justify="flex-end">
        <LanguageSwitch />
        <ColourScheme />
      </Group>
      <Box component="main" maw={480} mx="auto" px="md" py="min(12dvh, 96px)">
        <Title order={1}>{common("product")}</Title>
        <Text mt="xs" c="dimmed">
          {t("about")}
        </Text>
        {expired !== undefined && (
          <Alert mt="md" role="status">
            {t(`expired.${expired}`)}
          </Alert>
        )}
        <form onSubmit={submit}>
          <Stack mt="xl" gap="md">
            <PasswordInput
              label={t("token")}
              description={t("tokenMeans")}
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
              error={refusal != null && <span role="alert">{words(refusal)}</span>}
              visibilityToggleButtonProps={{ "aria-label": t("show"), tabIndex: 0 }}
              autoComplete="off"
              autoFocus
            />
            <Button type="submit" loading={enter.isPending} disabled={tokenIn(pasted) === ""}>
              {t("enter")}
            </Button>
          </Stack>
        </form>
        <Title order={2} mt="xl" mb="xs">
          {t("how.title")}
        </Title>
        <ol className={classes.ways}>
          <li>{t("how.started")}</li>
          <li>
            {t("how.link")} <Code>{LINK_COMMAND}</Code>
          </li>
          <li>
            {t("how.token")} <Code>{TOKEN_COMMAND}</Code>
          </li>
        </ol>
        <Text size="sm" c="dimmed" mt="md">
          {t("keeps")}
        </Text>
      </Box>
    </>
  );
}
