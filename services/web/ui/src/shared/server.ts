/** What the server says when it is asked for the app: it does not answer, has this version, or another one. */
export type Server = "away" | "same" | "newer";

/** The script this page began with; its name changes with every version. */
const entry = (): string | null =>
  document.querySelector('script[type="module"][src*="/assets/"]')?.getAttribute("src") ?? null;

/** Ask whether the server is there, and whether it still has the version that runs here. */
export async function askServer(): Promise<Server> {
  try {
    const answer = await fetch("/", { cache: "no-store" });
    if (!answer.ok) return "away";
    const page = await answer.text();
    const script = entry();
    return script === null || page.includes(script) ? "same" : "newer";
  } catch {
    return "away";
  }
}
