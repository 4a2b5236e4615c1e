import { Avatar, Menu, Text, UnstyledButton } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { queries } from "./client";
import { sessionOptions } from "./session";
import { signOut } from "@/client";

/** Who is signed in, and the way out. */
export function PersonMenu({ person }: { person: string }) {
  const { t } = useTranslation();
  const leave = useMutation({
    mutationFn: () => signOut(),
    onSuccess: () => {
      queries.setQueryData(sessionOptions.queryKey, null);
      // All but the session itself: who waits for it, as the page does, would not hear of it any more.
      queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== sessionOptions.queryKey[0] });
    },
  });
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton aria-label={t("person", { person })}>
          <Avatar color="lake" radius="xl" size={34} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate maw={220}>
            {person}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leave.mutate()}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
