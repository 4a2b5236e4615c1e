import { Button, Code, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import classes from "./Ready.module.css";
import { bytesWords } from "@/shared/bytes";
import { localeOf } from "@/app/i18n";
import type { ExportOut } from "@/client";

/** A package that can be had: how large, until when, how to tell that it arrived whole; and the way to it. */
export function Ready({ found }: { found: ExportOut }) {
  const { t, i18n } = useTranslation("data");
  const locale = localeOf(i18n.language);
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const { op_id, bytes, sha256, exported_at, expires_at, format } = found;
  const formats = {
    zip: t("export.formats.zip"),
    json: t("export.formats.json"),
    markdown: t("export.formats.markdown"),
    finclaw: t("export.formats.zip"),
  };
  return (
    <>
      <dl className={classes.facts}>
        <Fact name={t("package.format")}>{formats[format]}</Fact>
        {bytes !== null && <Fact name={t("package.size")}>{bytesWords(bytes, locale)}</Fact>}
        {exported_at !== null && <Fact name={t("package.asOf")}>{moment.format(new Date(exported_at))}</Fact>}
        {expires_at !== null && <Fact name={t("package.until")}>{moment.format(new Date(expires_at))}</Fact>}
        {sha256 !== null && (
          <Fact name={t("package.sha256")}>
            <Code className={classes.digest}>{sha256}</Code>
          </Fact>
        )}
      </dl>
      <Group>
        {/* The session's cookie opens it; the address holds the operation's id, which is of no use to others. */}
        <Button
          component="a"
          href={`/api/v1/memory/exports/${op_id}/package`}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t("package.download")}
        </Button>
      </Group>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
