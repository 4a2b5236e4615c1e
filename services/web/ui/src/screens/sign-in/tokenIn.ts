const FRAGMENT = "#token=";

/** The token in what somebody pasted: a token, or the whole sign-in link; with spaces and line ends a terminal added. */
export function tokenIn(pasted: string): string {
  const text = pasted.replaceAll(/\s/g, "");
  const at = text.indexOf(FRAGMENT);
  if (at < 0) return text;
  const escaped = text.slice(at + FRAGMENT.length);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped; // no link of ours: the server says that it is not valid
  }
}
