import { Anchor, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { ExportForm } from "./ExportForm";
import { Packages } from "./Packages";
import type { Wanted } from "./wanted";
import { backFromExport, cameFromForgetting } from "../exportOffer";
import { Head } from "../Head";
import type { ExportIn } from "@/client";
import { ConfirmExport } from "@/shared/exporting/ConfirmExport";
import { useLastOpened } from "@/shared/kept";

/** Whoever asked for a package elsewhere is led to it by the part after #. */
const operationInLink = (): string | undefined => location.hash.slice(1) || undefined;

/** Everything or one conversation, packed to take along; and the packages there are. */
export function Export() {
  const { t, i18n } = useTranslation("data");
  const [lastOpened] = useLastOpened();
  const [wanted, setWanted] = useState<Wanted>({
    scope: "user",
    conversation: lastOpened,
    format: "zip",
    language: i18n.language.startsWith("zh") ? "zh" : "en",
  });
  const [asked, setAsked] = useState<ExportIn | null>(null);
  const [newest, setNewest] = useState(operationInLink);
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
        onAgain={(again) => {
          setWanted((before) => ({ ...before, ...again }));
          form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
        }}
      />
    </Stack>
  );
}
