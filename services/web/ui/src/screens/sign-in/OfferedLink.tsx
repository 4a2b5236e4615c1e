import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

import { userOf } from "./tokenIn";
import { become, declineLink } from "@/app/session";
import { signIn } from "@/client";
import { Failed } from "@/shared/Failed";

/** A sign-in link was opened that is for somebody else than who is signed in: asks who it shall be. */
export function OfferedLink({ person, token }: { person: string; token: string }) {
  const { t } = useTranslation("signIn");
  const queries = useQueryClient();
  const [, go] = useLocation();
  const other = userOf(token) ?? t("offered.unknown");
  const change = useMutation({
    mutationFn: async () => (await signIn({ body: { token }, throwOnError: true })).data,
    onSuccess: (session) => {
      go("/chat", { replace: true }); // the address may name something of who was here before
      become(queries, session);
    },
  });
  const stay = () => {
    if (!change.isPending) declineLink(queries);
  };
  return (
    <Modal
      opened
      onClose={stay}
      title={t("offered.title")}
      closeButtonProps={{ "aria-label": t("offered.stay", { person }), disabled: change.isPending }}
      padding="lg"
    >
      <Stack gap="md">
        <Text>{t("offered.text", { person, other })}</Text>
        {change.error !== null && <Failed error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} disabled={change.isPending} data-autofocus>
            {t("offered.stay", { person })}
          </Button>
          <Button onClick={() => change.mutate()} loading={change.isPending}>
            {t("offered.change", { other })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
