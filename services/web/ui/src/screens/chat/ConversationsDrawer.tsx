import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Conversations } from "./Conversations";

/** The list of conversations over the page. */
export function ConversationsDrawer({ here, onClose }: { here: string | undefined; onClose: () => void }) {
  const { t } = useTranslation("chat");
  return (
    <Drawer
      opened
      onClose={onClose}
      size={300}
      title={t("conversations.title")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Conversations here={here} onChosen={onClose} titled={false} />
    </Drawer>
  );
}
