import { previewOptions } from "@/shared/preview";

/** All that an assistant would be given in a conversation for a question: the parts share one budget. */
export const givenFor = (conversation: string, question: string, language: string) =>
  previewOptions({
    conversation_id: conversation,
    query_text: question,
    language: language === "zh" ? "zh" : "en",
  });
