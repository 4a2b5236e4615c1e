/** What the browser takes for the person's time zone; `undefined` where it does not know. */
export const timeZoneHere = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone || undefined;
