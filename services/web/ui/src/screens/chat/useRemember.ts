import { useMutation, useQueryClient } from "@tanstack/react-query";

import { updateConversation } from "@/client";
import { getConversationQueryKey } from "@/client/@tanstack/react-query.gen";

/** Switch on or off whether a conversation is remembered; shown as switched once the server says so. */
export function useRemember(conversation: string) {
  const queries = useQueryClient();
  const path = { conversation_id: conversation };
  const { mutate, error } = useMutation({
    mutationFn: async (remember: boolean) =>
      (await updateConversation({ path, body: { remember }, throwOnError: true })).data,
    onSuccess: (changed) => queries.setQueryData(getConversationQueryKey({ path }), changed),
  });
  return { change: (remember: boolean) => mutate(remember), failure: error };
}
