import { ActionIcon } from "@mantine/core";
import { IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";
import { useFocusBack } from "@/shared/useFocusBack";

const ConversationsDrawer = part(async () => ({ default: (await import("@/later")).ConversationsDrawer }));

/** Where there is no room for the list of conversations: a button that opens it. */
export function OpenConversations({ here }: { here: string | undefined }) {
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState(false);
  useFocusBack(open);
  return (
    <>
      <ActionIcon
        variant="subtle"
        size="lg"
        className={classes.openSide}
        aria-label={t("conversations.show")}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconLayoutSidebarLeftExpand size={20} aria-hidden />
      </ActionIcon>
      {open && (
        <OnDemand onFailed={() => setOpen(false)}>
          <ConversationsDrawer here={here} onClose={() => setOpen(false)} />
        </OnDemand>
      )}
    </>
  );
}
