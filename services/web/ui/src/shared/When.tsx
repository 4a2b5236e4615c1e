import { useTranslation } from "react-i18next";

import { localeOf } from "@/app/i18n";

const DAY = 86_400_000;

const FULL = { dateStyle: "long", timeStyle: "medium" } as const;
const TIME = { hour: "numeric", minute: "2-digit" } as const;
const DAY_OF_YEAR = { day: "numeric", month: "short" } as const;
const DATE = { ...DAY_OF_YEAR, year: "numeric" } as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A formatter, made once: making one costs more than a whole card of a long list. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** A moment as people say it: the time today, the day this year, the date before. The full moment is its title. */
export function When({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  const moment = new Date(at);
  const full = formatOf(locale, FULL).format(moment);
  return (
    <time dateTime={at} title={full}>
      {said(moment, new Date(), locale)}
    </time>
  );
}

/** `moment` in words for somebody reading at `now`. */
export function said(moment: Date, now: Date, locale: string): string {
  const today = moment.toDateString() === now.toDateString();
  if (today) return formatOf(locale, TIME).format(moment);
  const days = Math.round((startOfDay(now) - startOfDay(moment)) / DAY);
  if (days === 1) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-1, "day");
  return formatOf(locale, moment.getFullYear() === now.getFullYear() ? DAY_OF_YEAR : DATE).format(moment);
}

const startOfDay = (moment: Date): number =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
