import { importMemory, type ImportMemoryData, type ImportPreview } from "@/client";

/**
 * A file as it is, for a request: the browser sends it from the disk in pieces and never holds all of it. What it is
 * the server finds out by looking inside.
 */
const sent = (file: File, headers: ImportMemoryData["headers"] = {}) => ({
  body: file,
  headers: { ...headers, "Content-Type": "application/octet-stream" },
  throwOnError: true as const,
});

/** Look at a file without keeping anything of it. */
export async function previewImport(file: File, signal: AbortSignal): Promise<ImportPreview> {
  const { data } = await importMemory({ ...sent(file), query: { dry_run: true }, signal });
  if (!("source" in data)) throw new Error("not a preview");
  return data;
}

/**
 * Bring a file in and return the operation that does; with the same key it is brought in once, however often it is sent.
 * `restoreForgotten`: its person saw what they forgot with everything, and wants it back.
 */
export async function acceptImport(file: File, key: string, restoreForgotten: boolean): Promise<string> {
  const query: NonNullable<ImportMemoryData["query"]> = {};
  if (restoreForgotten) query.restore_forgotten = true;
  const { data } = await importMemory({ ...sent(file, { "Idempotency-Key": key }), query });
  if (!("op_id" in data)) throw new Error("not accepted");
  return data.op_id;
}
