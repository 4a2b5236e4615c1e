import { useQuery } from "@tanstack/react-query";

import { getConversationOptions } from "@/client/@tanstack/react-query.gen";

/** One conversation. */
export const useOneConversation = (id: string) => useQuery(getConversationOptions({ path: { conversation_id: id } }));
