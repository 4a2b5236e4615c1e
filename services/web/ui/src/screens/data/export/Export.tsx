import { Anchor, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmExport } from "./ConfirmExport";
import { ExportForm } from "./ExportForm";
import { Packages } from "./Packages";
import type { Wanted } from "./wanted";
import { backFromExport, cameFromForgetting } from "../exportOffer";
import { Head } from "../Head";
import type { ExportIn } from "@/client";
import { useLastOpened } from "@/shared/kept";

/** Everything or one conversation, packed to take along; and the packages there are. */
export default function Export() {
  const { t, i18n } = useTranslation("data");
  const [lastOpened] = useLastOpened();
  const [wanted, setWanted] = useState<Wanted>({
    scope: "user",
    conversation: lastOpened,
    format: "zip",
    language: i18n.language.startsWith("zh") ? "zh" : "en",
  });
  const [asked, setAsked] = useState<ExportIn | null>(null);
  const [newest, setNewest] = useState<string>();
  const [returns] = useState(cameFromForgetting);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (returns) heading.current?.focus();
  }, [returns]);

  return (
    <Stack gap="xl">
      <Head title={t("export.title")} about={t("export.about")} heading={heading} />
      {returns && (
        <Anchor component="button" type="button" size="sm" ta="start" underline="always" onClick={backFromExport}>
          {t("export.back")}
        </Anchor>
      )}
      <ExportForm ref={form} wanted={wanted} onChange={setWanted} onAsk={setAsked} />
      <ConfirmExport
        request={asked}
        onClose={() => setAsked(null)}
        onAccepted={(operationId) => {
          setAsked(null);
          setNewest(operationId);
        }}
      />
      <Packages
        newest={newest}
        onAgain={(scope) => {
          setWanted((before) => ({ ...before, scope }));
          form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
        }}
      />
    </Stack>
  );
}
