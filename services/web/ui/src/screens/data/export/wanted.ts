import type { ExportIn } from "@/client";

export type Format = "zip" | "json" | "markdown";
export type PageLanguage = "en" | "zh";

/** What somebody wants to take along; a conversation only counts with its scope. */
export interface Wanted {
  scope: "user" | "conversation";
  conversation: string | undefined;
  format: Format;
  language: PageLanguage;
}

/** What a package was of. */
export type Again = { scope: "user" } | Pick<Wanted, "scope" | "conversation">;

/** The request that packs it; `undefined` while it does not say which conversation. */
export function requestFor({ scope, conversation, format, language }: Wanted): ExportIn | undefined {
  if (scope === "user") return { scope, format, language };
  return conversation === undefined ? undefined : { scope, conversation_id: conversation, format, language };
}
