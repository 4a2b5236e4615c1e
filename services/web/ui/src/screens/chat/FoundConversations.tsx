import { NavLink, Skeleton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./chat.module.css";
import { searchConversations } from "@/client";
import { Failed } from "@/shared/Failed";
import { useConversationName } from "@/shared/useConversationName";

const MOST = 50;

interface Props {
  query: string;
  here: string | undefined;
  onChosen: (() => void) | undefined;
}

/** The conversations in which something was said, with the words around it. */
export function FoundConversations({ query, here, onChosen }: Props) {
  const { t } = useTranslation("chat");
  const name = useConversationName();
  const body = { query, limit: MOST };
  // A read by POST: what is looked for is content, and stands in no address.
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: "searchConversations", body }],
    queryFn: async ({ signal }) => (await searchConversations({ body, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
  });
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={44} aria-hidden />
    ) : (
      <Failed error={error} again={() => void refetch()} />
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed" px="xs" mb={4} role="status">
        {data.length < MOST
          ? t("conversations.found", { count: data.length })
          : t("conversations.foundMost", { most: MOST })}
      </Text>
      <ul className={classes.conversations}>
        {data.map((one) => (
          <li key={one.id}>
            <NavLink
              component={Link}
              href={`/chat/${one.id}`}
              onClick={onChosen}
              active={one.id === here}
              aria-current={one.id === here ? "page" : undefined}
              label={name(one)}
              description={one.quote}
              classNames={{ label: classes.conversation ?? "", description: classes.foundWords ?? "" }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
