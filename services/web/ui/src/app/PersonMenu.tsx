import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { queries } from "./client";
import { become } from "./session";
import { signOut } from "@/client";
import { MenuButton } from "@/shared/MenuButton";

/** Who is signed in, and the way out. */
export function PersonMenu({ person }: { person: string }) {
  const { t } = useTranslation();
  const leave = useMutation({
    mutationFn: () => signOut(),
    onSuccess: () => become(queries, null),
  });
  return (
    <MenuButton
      label={t("person", { person })}
      icon={<IconUserCircle size={22} aria-hidden />}
      size="lg"
      variant="light"
      radius="xl"
      heading={person}
      items={[{ name: t("signOut"), Icon: IconLogout, onClick: () => leave.mutate() }]}
    />
  );
}
