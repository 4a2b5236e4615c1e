import { Button, CloseButton, NavLink, Skeleton, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconEyeOff, IconPlus, IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import classes from "./chat.module.css";
import { ConversationMenu } from "./ConversationMenu";
import { FoundConversations } from "./FoundConversations";
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

const PAUSE_IN_TYPING = 350;
const LONGEST = 200;

/** All conversations, newest first, or those in which something was said; and a way to begin one. */
export function Conversations({ here, onChosen, titled = true }: Props) {
  const { t } = useTranslation("chat");
  const [typed, setTyped] = useState("");
  const [query] = useDebouncedValue(typed.trim(), PAUSE_IN_TYPING);
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
      <TextInput
        type="search"
        size="xs"
        mb="sm"
        aria-label={t("conversations.search")}
        placeholder={t("conversations.search")}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          typed !== "" && (
            <CloseButton size="sm" aria-label={t("conversations.clearSearch")} onClick={() => setTyped("")} />
          )
        }
        value={typed}
        maxLength={LONGEST}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {query === "" ? (
        <AllConversations here={here} onChosen={onChosen} />
      ) : (
        <FoundConversations query={query} here={here} onChosen={onChosen} />
      )}
    </nav>
  );
}

function AllConversations({ here, onChosen }: { here: string | undefined; onChosen: (() => void) | undefined }) {
  const { t } = useTranslation("chat");
  const name = useConversationName();
  const list = useInfiniteQuery(conversationsOptions);
  const { data, error, isPending, refetch, hasNextPage } = list;
  const { more, coming } = useMorePages(list);
  const conversations = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {isPending && [0, 1, 2].map((line) => <Skeleton key={line} height={32} mb="xs" aria-hidden />)}
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data !== undefined && conversations.length === 0 && (
        <Text size="sm" c="dimmed" px="xs">
          {t("conversations.none")}
        </Text>
      )}
      <ul className={classes.conversations}>
        {conversations.map((one) => (
          <li key={one.id} data-here={one.id === here || undefined}>
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
            <ConversationMenu
              conversation={one}
              label={t("conversations.menu", { name: name(one) })}
              color="gray"
              className={classes.conversationMenu}
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" fullWidth loading={coming} onClick={more}>
          {t("conversations.more")}
        </Button>
      )}
    </>
  );
}
