import { Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./Receipt.module.css";
import type { EntryOut } from "@/client";
import { STORES } from "@/shared/operations/states";
import { stepWords } from "@/shared/operations/words";
import { useNumbers } from "@/shared/numbers";

type StoreCounts = Record<string, Record<string, number> | undefined>;

/** What was counted in each store when it was proven to be empty; nothing before. */
export function erasedIn(entries: readonly EntryOut[]): StoreCounts {
  const proof = entries.findLast(({ body }) => body["kind"] === "verified");
  return (proof?.body["counts"] ?? {}) as StoreCounts;
}

/** How much was erased from each store, and how much of it was found there afterwards. */
export function Counts({ entries }: { entries: readonly EntryOut[] }) {
  const { t } = useTranslation("receipt");
  const numbers = useNumbers();
  const counts = erasedIn(entries);
  if (Object.keys(counts).length === 0) return null;
  return (
    <section aria-labelledby="counts">
      <Title order={2} id="counts" mb="xs">
        {t("counts.title")}
      </Title>
      <table className={classes.stores}>
        <thead>
          <tr>
            <th scope="col">{t("counts.where")}</th>
            <th scope="col">{t("counts.removed")}</th>
            <th scope="col">{t("counts.left")}</th>
          </tr>
        </thead>
        <tbody>
          {STORES.filter((store) => counts[store] !== undefined).map((store) => (
            <tr key={store}>
              <th scope="row">{stepWords(t, store)}</th>
              <td>{numbers(counts[store]?.["erased"] ?? 0)}</td>
              <td>{numbers(counts["verify"]?.[`${store}_residue`] ?? counts[store]?.["residue"] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
