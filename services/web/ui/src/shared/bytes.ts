const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1000;

/** A size as people write it: `1.2 MB`. Decimal, as browsers and file managers say how large a download is. */
export function bytesWords(bytes: number, locale: string): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[power] ?? "byte";
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / STEP ** power);
}
