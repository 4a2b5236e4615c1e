import { Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./Receipt.module.css";
import type { EntryOut } from "@/client";
import { When } from "@/shared/When";

/** So much of a hash is enough to recognise it. */
const SHOWN = 16;

/** Where the receipt stands in the log: each entry seals the one before. */
export function Chain({ entries }: { entries: readonly EntryOut[] }) {
  const { t } = useTranslation("receipt");
  return (
    <section aria-labelledby="chain">
      <Title order={2} id="chain" mb={4}>
        {t("chain.title")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("chain.about")}
      </Text>
      {entries.map(({ body, prev_hash, hash, signature }) => {
        const verified = body["kind"] === "verified";
        const at = String(verified ? body["verified_at"] : body["accepted_at"]);
        return (
          <div key={hash} className="card" style={{ padding: 16, marginBlockEnd: 12 }}>
            <Text size="sm">
              {verified ? t("chain.verified", { number: body["seq"] }) : t("chain.accepted", { number: body["seq"] })} ·{" "}
              <When at={at} />
            </Text>
            <dl className={classes.entry}>
              <dt>{t("chain.hash")}</dt>
              <dd title={hash}>{hash.slice(0, SHOWN)}…</dd>
              <dt>{t("chain.before")}</dt>
              <dd title={prev_hash}>{prev_hash.slice(0, SHOWN)}…</dd>
              <dt>{t("chain.signature")}</dt>
              <dd title={signature}>{signature.slice(0, SHOWN)}…</dd>
            </dl>
          </div>
        );
      })}
    </section>
  );
}
