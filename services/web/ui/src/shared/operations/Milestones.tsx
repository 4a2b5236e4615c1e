import { IconCheck } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import classes from "./Milestones.module.css";
import { useNow } from "./useNow";
import { soon } from "./words";
import { localeOf } from "@/app/i18n";
import { When } from "@/shared/When";

interface Reached {
  status: string;
  unrecallable_at: string | null;
  erased_at: string | null;
  purged_at: string | null;
  purge_expected_at?: string | null;
}

interface Milestone {
  name: string;
  words: string;
  at: string | null;
  /** What is said in place of a time. */
  notYet: string;
}

/** Hidden, deleted and checked, overwritten: each with its time once it has happened; `full`, to the second. */
export function Milestones({ of, full = false }: { of: Reached; full?: boolean }) {
  const { t } = useTranslation("operations");
  const now = useNow(false);
  const undone = of.status === "cancelled";
  const milestones: Milestone[] = [
    {
      name: "hidden",
      words: t("milestones.hidden"),
      at: undone ? null : of.unrecallable_at,
      notYet: undone ? t("milestones.withdrawn") : t("milestones.notYet"),
    },
    {
      name: "erased",
      words: of.erased_at === null ? t("milestones.erasing") : t("milestones.erased"),
      at: of.erased_at,
      notYet: t("milestones.notYet"),
    },
    { name: "gone", at: of.purged_at, ...bytesWords(t, of, now) },
  ];
  const shown = undone ? milestones.slice(0, 1) : milestones;
  return (
    <ol className={classes.milestones} aria-label={t("milestones.label")}>
      {shown.map(({ name, words, at, notYet }) => (
        <li key={name} className={classes.milestone} data-reached={at !== null || undefined}>
          <span className={classes.mark} aria-hidden>
            {at !== null && <IconCheck size={14} stroke={3} />}
          </span>
          <span className={classes.words}>{words}</span>
          <span className={classes.when}>{at === null ? notYet : full ? <Moment at={at} /> : <When at={at} />}</span>
        </li>
      ))}
    </ol>
  );
}

/** What is said of the bytes that deleting leaves on the disk: overwritten, or about when they will be. */
function bytesWords(t: TFunction<"operations">, of: Reached, now: number) {
  const expected = of.purge_expected_at ?? null;
  if (of.purged_at !== null) return { words: t("milestones.gone"), notYet: "" };
  if (of.erased_at === null) return { words: t("milestones.going"), notYet: t("milestones.notYet") };
  if (expected === null) return { words: t("milestones.going"), notYet: t("milestones.unknown") };
  if (Date.parse(expected) <= now) return { words: t("milestones.going"), notYet: t("milestones.late") };
  return { words: t("milestones.goneBy", { time: soon(expected, now) }), notYet: "" };
}

function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "medium" });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
