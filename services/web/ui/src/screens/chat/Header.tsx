import { Group, VisuallyHidden } from "@mantine/core";
import { IconDotsVertical, IconEraser, IconPencil, IconTimeline } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

import classes from "./chat.module.css";
import { OpenConversations } from "./OpenConversations";
import { RememberSwitch } from "./RememberSwitch";
import { Rename } from "./Rename";
import { useRemember } from "./useRemember";
import type { ConversationOut } from "@/client";
import { ForgetDialog } from "@/shared/forgetting/ForgetDialog";
import { useLastOpened } from "@/shared/kept";
import { MenuButton } from "@/shared/MenuButton";
import { useConversationName } from "@/shared/useConversationName";

/** What the conversation is called, whether it is remembered, and what can be done with it. */
export function Header({ conversation }: { conversation: ConversationOut }) {
  const { t } = useTranslation("chat");
  const name = useConversationName()(conversation);
  const [renaming, setRenaming] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const [forgotten, setForgotten] = useState(false);
  const { change, failure } = useRemember(conversation.id);
  const [, setLastOpened] = useLastOpened();
  const [, navigate] = useLocation();
  const menu = useRef<HTMLButtonElement>(null);

  const renamed = () => {
    setRenaming(false);
    menu.current?.focus();
  };
  const closed = () => {
    setForgetting(false);
    if (!forgotten) return;
    setLastOpened(undefined);
    navigate("/chat/new", { replace: true });
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
        <MenuButton
          button={menu}
          label={t("conversation.menu")}
          icon={<IconDotsVertical size={18} aria-hidden />}
          size="lg"
          items={[
            { name: t("conversation.rename"), Icon: IconPencil, onClick: () => setRenaming(true) },
            { name: t("conversation.read"), Icon: IconTimeline, href: `/conversation/${conversation.id}` },
            { name: t("conversation.forget"), Icon: IconEraser, apart: true, onClick: () => setForgetting(true) },
          ]}
        />
      </Group>
      <RememberSwitch remember={conversation.remember} onChange={change} failure={failure} />
      <ForgetDialog
        target={forgetting ? { scope: "conversation", id: conversation.id } : null}
        onClose={closed}
        onForgotten={() => setForgotten(true)}
      />
    </header>
  );
}
