import type { ResourceKey } from "i18next";

/** A language's texts by namespace. */
export type Texts = Record<string, ResourceKey>;

/** Name each file's texts after the file: `locales/en/chat.json` is the namespace `chat`. */
export const byNamespace = (files: Record<string, unknown>): Texts =>
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [
      path.slice(path.lastIndexOf("/") + 1, -".json".length),
      texts as ResourceKey,
    ]),
  );
