import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconDots, IconEraser, IconListSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface Props {
  /** What is copied. */
  words: string;
  onForget: () => void;
  onAsk: () => void;
}

/** What can be done with one message. */
export function MessageMenu({ words, onForget, onAsk }: Props) {
  const { t } = useTranslation("chat");
  const { copy, copied } = useClipboard();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="dimmed" size="md" aria-label={t("message.menu")}>
          {copied ? <IconCheck size={16} aria-hidden /> : <IconDots size={16} aria-hidden />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEraser size={16} aria-hidden />} onClick={onForget}>
          {t("message.forget")}
        </Menu.Item>
        <Menu.Item leftSection={<IconListSearch size={16} aria-hidden />} onClick={onAsk}>
          {t("message.derived")}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copy(words)}>
          {t("message.copy")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
