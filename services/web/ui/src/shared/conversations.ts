import { listConversations } from "@/client";
import { pagesOf } from "@/shared/pages";

/** A person's conversations, newest first. */
export const conversationsOptions = pagesOf("listConversations", listConversations, { limit: 50 });
