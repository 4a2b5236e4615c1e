import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { queries } from "./client";
import { become } from "./session";
import { signOut } from "@/client";
import { MenuButton } from "@/shared/MenuButton";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

/** Who is signed in, and the way out. */
export function PersonMenu({ person }: { person: string }) {
  const { t } = useTranslation();
  const words = useProblemWords();
  const leave = useMutation({
    mutationFn: () => signOut(),
    onSuccess: () => become(queries, null),
    onError: (error) => {
      toast({ message: words(error), color: "gray", closeButtonProps: { "aria-label": t("close") } });
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
