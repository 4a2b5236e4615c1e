import { Button, Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  onClose: () => void;
  children: ReactNode;
}

/** The facets over the page. */
export function NarrowingDrawer({ onClose, children }: Props) {
  const { t } = useTranslation("memories");
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t("facet.title")}
      position="bottom"
      size="80%"
      returnFocus={false}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {children}
      <Button fullWidth onClick={onClose}>
        {t("facet.done")}
      </Button>
    </Drawer>
  );
}
