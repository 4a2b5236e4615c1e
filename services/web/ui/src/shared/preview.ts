import { queryOptions } from "@tanstack/react-query";

import { previewInjection, type PreviewInjectionData } from "@/client";

export type Asked = PreviewInjectionData["body"];

/**
 * What an assistant would be given for a question, or before one.
 *
 * A read by POST, so that the question is in no address; the generated client takes every POST for a change.
 */
export const previewOptions = (asked: Asked) =>
  queryOptions({
    queryKey: [{ _id: "previewInjection", body: asked }],
    queryFn: async ({ signal }) => (await previewInjection({ body: asked, signal, throwOnError: true })).data,
  });
