import { Button, NavLink, Skeleton, Text } from "@mantine/core";
import { IconEyeOff, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./chat.module.css";
import { conversationsOptions } from "@/shared/conversations";
import { Failed } from "@/shared/Failed";
import { useConversationName } from "@/shared/useConversationName";
import { useMorePages } from "@/shared/useMorePages";

interface Props {
  here: string | undefined;
  onChosen?: () => void;
  /** Whether the list has a heading of its own; in a drawer the drawer has it. */
  titled?: boolean;
}

/** All conversations, newest first, and a way to begin one. */
export function Conversations({ here, onChosen, titled = true }: Props) {
  const { t } = useTranslation("chat");
  const name = useConversationName();
  const list = useInfiniteQuery(conversationsOptions);
  const { data, error, isPending, refetch, hasNextPage } = list;
  const { more, coming } = useMorePages(list);
  const conversations = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <nav aria-label={t("conversations.title")}>
      {titled && <h2 className={classes.sideTitle}>{t("conversations.title")}</h2>}
      <Button
        component={Link}
        href="/chat/new"
        onClick={onChosen}
        variant="default"
        fullWidth
        mb="sm"
        leftSection={<IconPlus size={16} aria-hidden />}
      >
        {t("conversations.begin")}
      </Button>
      {isPending && [0, 1, 2].map((line) => <Skeleton key={line} height={32} mb="xs" aria-hidden />)}
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data !== undefined && conversations.length === 0 && (
        <Text size="sm" c="dimmed" px="xs">
          {t("conversations.none")}
        </Text>
      )}
      <ul className={classes.conversations}>
        {conversations.map((one) => (
          <li key={one.id}>
            <NavLink
              component={Link}
              href={`/chat/${one.id}`}
              onClick={onChosen}
              active={one.id === here}
              aria-current={one.id === here ? "page" : undefined}
              label={name(one)}
              classNames={{ label: classes.conversation ?? "" }}
              rightSection={
                !one.remember && <IconEyeOff size={16} role="img" aria-label={t("conversations.notRemembered")} />
              }
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={coming} onClick={more}>
          {t("conversations.more")}
        </Button>
      )}
    </nav>
  );
}
