import { useTranslation } from "react-i18next";

import { localeOf } from "@/app/i18n";

/** Writes numbers as the language that is shown does, with so many digits after the point. */
export function useNumbers(digits = 0): (value: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(localeOf(i18n.language), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (value) => format.format(value);
}
