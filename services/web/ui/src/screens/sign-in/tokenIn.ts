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

/** Whom a token says it is for, to ask a person with; whether that is true the server decides. */
export function userOf(token: string): string | null {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const subject = (claims as { sub?: unknown } | null)?.sub;
    return typeof subject === "string" ? subject : null;
  } catch {
    return null; // no token of ours
  }
}
