import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { OnDemand } from "@/shared/OnDemand";
import { part } from "@/shared/parts";
import { useFocusBack } from "@/shared/useFocusBack";

const NarrowingDrawer = part(async () => ({ default: (await import("@/later")).NarrowingDrawer }));

/** The facets behind a button, where there is no room beside the list. */
export function Narrowing({ chosen, children }: { chosen: number; children: ReactNode }) {
  const { t } = useTranslation("memories");
  const [opened, { open, close }] = useDisclosure(false);
  useFocusBack(opened);
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={open}>
        {chosen === 0 ? t("facet.open") : t("facet.openChosen", { chosen })}
      </Button>
      {opened && (
        <OnDemand onFailed={close}>
          <NarrowingDrawer onClose={close}>{children}</NarrowingDrawer>
        </OnDemand>
      )}
    </>
  );
}
