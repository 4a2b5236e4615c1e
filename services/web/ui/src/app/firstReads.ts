declare global {
  interface Window {
    /** Answers to what was asked before the app was there, by address; each is taken once. */
    firstReads?: Map<string, Promise<Response>>;
  }
}

const EVERYWHERE = [
  "/api/v1/session",
  "/api/v1/memory/overview?validity=active",
  "/api/v1/memory/ops?limit=10",
  "/api/v1/users/me/profile-consent",
] as const;

/** As the screens ask: an address that nobody asks is a read too many, which a browser test notices. */
const OF_PLACE: Record<string, readonly string[]> = {
  memories: [
    "/api/v1/memory/long_term?validity=active&limit=20",
    "/api/v1/memory/long_term?waiting=true&validity=active&limit=50",
    "/api/v1/memory/long_term?validity=contradicted&limit=50",
  ],
  traits: ["/api/v1/memory/traits?limit=200", "/api/v1/memory/traits/refused", "/api/v1/memory/settings"],
  chat: ["/api/v1/conversations?limit=50"],
  settings: ["/api/v1/memory/settings"],
};

/** The list a place is about, for who draws its first rows. */
export const LIST_OF: Record<string, string | undefined> = { memories: OF_PLACE["memories"]?.[0] };

/** Ask what a place reads first, unless a link signs somebody in: then nothing can be read before. */
export function askFirst(place: string): void {
  if (location.hash !== "" || place === "receipts") return;
  // What the place is about comes first: a browser has few connections, and the app's files take some.
  const asked = [...(location.search === "" ? (OF_PLACE[place] ?? []) : []), ...EVERYWHERE];
  window.firstReads = new Map(asked.map((address) => [address, fetch(address)]));
  for (const answer of window.firstReads.values()) answer.catch(() => undefined);
}
