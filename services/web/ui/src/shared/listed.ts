import { localeOf } from "@/app/i18n";

const ENDS_CHINESE = /\p{Script=Han}$/u;
const BEGINS_LATIN = /^[\p{Script=Latin}\p{Nd}]/u;

/** Words as one list in a language: "1 summary and 8 memories". */
export function listed(words: Iterable<string>, language: string): string {
  const parts = new Intl.ListFormat(localeOf(language)).formatToParts(words);
  // Intl writes "和8 条"; here a space stands between Chinese and a number, as in every text.
  return parts.reduce((before, { value }) => {
    const gap = ENDS_CHINESE.test(before) && BEGINS_LATIN.test(value) ? " " : "";
    return before + gap + value;
  }, "");
}
