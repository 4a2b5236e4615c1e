import { Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";
import { MemoryCenterLink } from "./MemoryCenterLink";
import { OpenConversations } from "./OpenConversations";
import { RememberSwitch } from "./RememberSwitch";

interface Props {
  title?: string;
  /** Whether the conversation will be remembered; without it there is nothing to decide. */
  remember?: boolean;
  onRemember?: (remember: boolean) => void;
}

/** The headline while there is no conversation yet. */
export function NewHeader({ title, remember, onRemember }: Props) {
  const { t } = useTranslation("chat");
  return (
    <header className={classes.header}>
      <Group gap="xs" wrap="nowrap" className={classes.headline}>
        <OpenConversations here={undefined} />
        <h1 className={classes.title}>{title ?? t("conversation.new")}</h1>
      </Group>
      <MemoryCenterLink />
      {remember !== undefined && onRemember !== undefined && (
        <RememberSwitch remember={remember} onChange={onRemember} />
      )}
    </header>
  );
}
