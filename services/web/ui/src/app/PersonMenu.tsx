import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { queries } from "./client";
import { sessionOptions } from "./session";
import { signOut } from "@/client";
import { MenuButton } from "@/shared/MenuButton";

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
