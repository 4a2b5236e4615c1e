import { ActionIcon, Group, Menu, VisuallyHidden } from "@mantine/core";
import { IconDotsVertical, IconEraser, IconPencil, IconTimeline } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";

import classes from "./chat.module.css";
import { OpenConversations } from "./OpenConversations";
import { RememberSwitch } from "./RememberSwitch";
import { Rename } from "./Rename";
import { useRemember } from "./useRemember";
import type { ConversationOut } from "@/client";
import { ForgetDialog } from "@/shared/forgetting/ForgetDialog";
import { useLastOpened } from "@/shared/kept";
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
        <Menu position="bottom-end" withinPortal={false}>
          <Menu.Target>
            <ActionIcon ref={menu} variant="subtle" size="lg" aria-label={t("conversation.menu")}>
              <IconDotsVertical size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setRenaming(true)}>
              {t("conversation.rename")}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTimeline size={16} aria-hidden />}
              component={Link}
              href={`/conversation/${conversation.id}`}
            >
              {t("conversation.read")}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item leftSection={<IconEraser size={16} aria-hidden />} onClick={() => setForgetting(true)}>
              {t("conversation.forget")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
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
