import { addADocument, deleteDocument, type DocumentOut } from "@/client";
import { UNDO_SECONDS } from "@/shared/forgetting/useForgetAtOnce";
import { type OnceHeaders, randomKey } from "@/shared/once";

const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  pdf: "application/pdf",
};

export const ACCEPTED = ".txt,.md,.markdown,.pdf,text/plain,text/markdown,application/pdf";

/** What a file is, by the end of its name: browsers do not know Markdown. */
export const typeOf = (name: string): string => TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "text/plain";

/** Upload a file. The server reads its text; the file itself is not kept. */
export async function upload(file: File): Promise<DocumentOut> {
  const headers = {
    "Content-Type": typeOf(file.name),
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    "Idempotency-Key": randomKey(),
  };
  return (await addADocument({ body: file, headers, throwOnError: true })).data;
}

export async function forgetDocument({ id }: DocumentOut, headers: OnceHeaders) {
  const query = { undo_seconds: UNDO_SECONDS };
  return (await deleteDocument({ path: { document_id: id }, query, headers, throwOnError: true })).data;
}
