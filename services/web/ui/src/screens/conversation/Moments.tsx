import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { Moment } from "./Moment";
import { givenFor } from "./given";
import { byFate, fatesOf, useLastQuestion } from "./recalled";
import { Section } from "./Section";
import { listEpisodes } from "@/client";
import { Failed } from "@/shared/Failed";
import { pagesOf } from "@/shared/pages";
import { useMorePages } from "@/shared/useMorePages";
import { Waiting } from "@/shared/Waiting";

const QUESTION_MAX = 4_000;
const FIRST = 5;
const MORE = 20;

/** A conversation's earlier exchanges, and what of them would be given for a question: the last one, or another. */
export function useMoments(conversation: string) {
  const { i18n } = useTranslation();
  const list = useInfiniteQuery(pagesOf("listEpisodes", listEpisodes, { conversation_id: conversation, limit: 50 }));
  const episodes = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { lastQuestion, isPending } = useLastQuestion(conversation, episodes);
  const [asked, ask] = useState<string>();
  const question = asked ?? (list.isPending ? undefined : lastQuestion) ?? "";
  const recalled = useQuery({
    ...givenFor(conversation, question, i18n.language),
    enabled: question !== "",
    placeholderData: keepPreviousData,
  });
  const isSettled = !isPending && !list.isPending;
  return { question, ask, recalled, list, episodes, isSettled, isPending: !isSettled || recalled.isLoading };
}

/** Earlier exchanges the assistant can be given again, and which of them it would be given for a question. */
export function Moments({
  moments: { question, ask: setAsked, recalled, list, episodes },
}: {
  moments: ReturnType<typeof useMoments>;
}) {
  const { t } = useTranslation("conversation");
  const [typed, setTyped] = useState<string>();
  const [shown, setShown] = useState(FIRST);
  const { data, error, isPending, refetch, hasNextPage } = list;
  const pages = useMorePages(list);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setAsked((typed ?? question).trim());
  };
  const fates = fatesOf(recalled.data);
  const given = [...fates.values()].filter((fate) => fate.given).length;
  // Of a long conversation the moment that is given may be far back: it is what somebody came to see.
  const { coming, more: readOn } = pages;
  const isAhead = given > episodes.filter(({ id }) => fates.get(id)?.given === true).length && hasNextPage && !coming;
  useEffect(() => {
    if (isAhead) readOn();
  }, [isAhead, readOn]);
  const more = () => {
    setShown(shown + MORE);
    if (shown + MORE >= episodes.length) pages.more();
  };
  return (
    <Section title={t("moments.title")} about={t("moments.about")}>
      {isPending ? (
        <Waiting />
      ) : data === undefined ? (
        <Failed error={error} again={() => void refetch()} />
      ) : episodes.length === 0 ? (
        <Text className="card" p="md" c="dimmed" size="sm">
          {t("moments.none")}
        </Text>
      ) : (
        <Stack gap="sm">
          <form onSubmit={ask}>
            <Group gap="xs" align="flex-end">
              <TextInput
                flex="1 1 220px"
                label={t("moments.question")}
                value={typed ?? question}
                maxLength={QUESTION_MAX}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" loading={recalled.isFetching}>
                {t("moments.ask")}
              </Button>
            </Group>
          </form>
          <Text size="sm" c="dimmed" role="status">
            {recalled.data !== undefined && t("moments.recalled", { count: given })}
            {recalled.data?.diagnostics.sentences.map((sentence) => ` ${sentence}`)}
          </Text>
          {recalled.error !== null && <Failed error={recalled.error} again={() => void recalled.refetch()} />}
          {byFate(episodes, fates)
            .slice(0, Math.max(shown, given))
            .map((episode) => (
              <Moment key={episode.id} episode={episode} fate={fates.get(episode.id)} />
            ))}
          {(episodes.length > Math.max(shown, given) || hasNextPage) && (
            <Button variant="subtle" loading={pages.coming} onClick={more}>
              {t("moments.more")}
            </Button>
          )}
        </Stack>
      )}
    </Section>
  );
}
