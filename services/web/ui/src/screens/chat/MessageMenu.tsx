import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconDots, IconEraser, IconListSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { MenuButton } from "@/shared/MenuButton";

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
    <MenuButton
      label={t("message.menu")}
      icon={copied ? <IconCheck size={16} aria-hidden /> : <IconDots size={16} aria-hidden />}
      color="gray"
      c="dimmed"
      size="md"
      items={[
        { name: t("message.forget"), Icon: IconEraser, onClick: onForget },
        { name: t("message.derived"), Icon: IconListSearch, onClick: onAsk },
        { name: t("message.copy"), Icon: IconCopy, onClick: () => copy(words) },
      ]}
    />
  );
}
