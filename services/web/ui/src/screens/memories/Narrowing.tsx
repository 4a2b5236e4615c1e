import { Button, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** The facets behind a button, where there is no room beside the list. */
export function Narrowing({ chosen, children }: { chosen: number; children: ReactNode }) {
  const { t } = useTranslation("memories");
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={open}>
        {chosen === 0 ? t("facet.open") : t("facet.openChosen", { chosen })}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        title={t("facet.title")}
        position="bottom"
        size="80%"
        closeButtonProps={{ "aria-label": t("close") }}
      >
        {children}
        <Button fullWidth onClick={close}>
          {t("facet.done")}
        </Button>
      </Drawer>
    </>
  );
}
