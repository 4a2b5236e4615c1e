import { VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import classes from "./Milestones.module.css";
import { localeOf } from "@/app/i18n";
import { When } from "@/shared/When";

interface Reached {
  status: string;
  unrecallable_at: string | null;
  erased_at: string | null;
  purged_at: string | null;
}

/** Hidden, erased, physically gone: each with its time once it has happened; `full`, to the second. */
export function Milestones({ of, full = false }: { of: Reached; full?: boolean }) {
  const { t } = useTranslation("operations");
  const undone = of.status === "cancelled";
  const milestones = [
    { name: "hidden", words: t("milestones.hidden"), at: undone ? null : of.unrecallable_at },
    { name: "erased", words: t("milestones.erased"), at: of.erased_at },
    { name: "gone", words: t("milestones.gone"), at: of.purged_at },
  ];
  return (
    <ol className={classes.milestones} aria-label={t("milestones.label")}>
      {milestones.map(({ name, words, at }) => (
        <li key={name} className={classes.milestone} data-reached={at !== null || undefined}>
          <span className={classes.mark} aria-hidden>
            {at !== null && <IconCheck size={14} stroke={3} />}
          </span>
          <span className={classes.words}>{words}</span>
          <span className={classes.when}>
            {at !== null ? (
              full ? (
                <Moment at={at} />
              ) : (
                <When at={at} />
              )
            ) : undone && name === "hidden" ? (
              t("milestones.withdrawn")
            ) : (
              <>
                <span aria-hidden>–</span>
                <VisuallyHidden>{t("milestones.notYet")}</VisuallyHidden>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "medium" });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
