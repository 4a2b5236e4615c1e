import { Group, VisuallyHidden } from "@mantine/core";
import { IconPencil, IconTimeline } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { ConversationMenu } from "./ConversationMenu";
import { MemoryCenterLink } from "./MemoryCenterLink";
import { OpenConversations } from "./OpenConversations";
import { RememberSwitch } from "./RememberSwitch";
import { Rename } from "./Rename";
import { useRemember } from "./useRemember";
import { useThreadPreferences } from "./useThreadPreferences";
import type { ConversationOut } from "@/client";
import { useConversationName } from "@/shared/useConversationName";

/** What the conversation is called, whether it is remembered, and what can be done with it. */
export function Header({ conversation }: { conversation: ConversationOut }) {
  const { t } = useTranslation("chat");
  const name = useConversationName()(conversation);
  const [renaming, setRenaming] = useState(false);
  const { change, failure } = useRemember(conversation.id);
  const forgetPreferences = useThreadPreferences(conversation.id);
  const menu = useRef<HTMLButtonElement>(null);

  const renamed = () => {
    setRenaming(false);
    menu.current?.focus();
  };
  return (
    <header className={classes.header}>
      <Group gap="xs" wrap="nowrap" className={classes.headline}>
        <OpenConversations here={conversation.id} />
        {renaming ? (
          <>
            <VisuallyHidden component="h1">{name}</VisuallyHidden>
            <Rename conversation={conversation} onDone={renamed} />
          </>
        ) : (
          <h1 className={classes.title}>{name}</h1>
        )}
        <ConversationMenu
          conversation={conversation}
          button={menu}
          label={t("conversation.menu")}
          size="lg"
          first={[
            { name: t("conversation.rename"), Icon: IconPencil, onClick: () => setRenaming(true) },
            ...forgetPreferences,
            { name: t("conversation.read"), Icon: IconTimeline, href: `/conversation/${conversation.id}` },
          ]}
        />
      </Group>
      <MemoryCenterLink />
      <RememberSwitch remember={conversation.remember} onChange={change} failure={failure} />
    </header>
  );
}
