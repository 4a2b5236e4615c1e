import { Anchor, Loader, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import type { Why } from "./assistant";
import { type Cited, useSource } from "./useSource";
import { Masked } from "@/shared/memories/Masked";
import { Quote } from "@/shared/memories/Quote";
import { useMemoryWords } from "@/shared/memories/words";
import { useProblemWords } from "@/shared/useProblemWords";

interface Props {
  id: string;
  conversation: string;
  /** Why the assistant was given it, if it is known. */
  reason?: Why | undefined;
}

/** What an answer cites: its words, where they come from, and the way to everything else about it. */
export function SourceCard({ id, conversation, reason }: Props) {
  const { t } = useTranslation(["chat", "sees"]);
  const problem = useProblemWords();
  const { cited, error } = useSource(id, conversation);
  if (error != null) return <Text size="sm">{problem(error)}</Text>;
  if (cited === undefined) return <Loader size="xs" aria-label={t("source.loading")} />;
  return (
    <Stack gap={6}>
      <What cited={cited} conversation={conversation} />
      {reason !== undefined && cited.kind !== "gone" && cited.kind !== "off" && (
        <Text size="xs" c="dimmed">
          {t("source.why", { reason: t(`sees:why.${reason}`) })}
        </Text>
      )}
    </Stack>
  );
}

function What({ cited, conversation }: { cited: Cited; conversation: string }) {
  const { t } = useTranslation("chat");
  const words = useMemoryWords();
  switch (cited.kind) {
    case "memory": {
      const { memory } = cited;
      const quoted = memory.sources.find(({ quote }) => quote !== null);
      return (
        <>
          <Text size="sm" className="words">
            {memory.content}
          </Text>
          <Text size="xs" c="dimmed">
            {words.line(memory)}
          </Text>
          {quoted !== undefined && <Quote source={quoted} />}
          <Anchor component={Link} href={`/memories/${memory.id}`} size="sm" py={2} underline="always">
            {t("source.memory")}
          </Anchor>
        </>
      );
    }
    case "episode":
      return (
        <>
          <Text size="xs" c="dimmed">
            {t("source.episode")}
          </Text>
          {[cited.episode.user_message, cited.episode.assistant_message].map(
            (said, index) =>
              said !== null && (
                <blockquote className="quote" key={index}>
                  <Text size="sm" lineClamp={3} className="words">
                    <Masked text={said} />
                  </Text>
                </blockquote>
              ),
          )}
          <ToConversation conversation={conversation} />
        </>
      );
    case "summary":
      return (
        <>
          <Text size="xs" c="dimmed">
            {t("source.summary")}
          </Text>
          <Text size="sm" lineClamp={6} className="words">
            {cited.summary.text}
          </Text>
          <ToConversation conversation={conversation} />
        </>
      );
    case "off":
    case "gone":
      return <Text size="sm">{t(`source.${cited.kind}`)}</Text>;
  }
}

function ToConversation({ conversation }: { conversation: string }) {
  const { t } = useTranslation("chat");
  return (
    <Anchor component={Link} href={`/conversation/${conversation}`} size="sm" py={2} underline="always">
      {t("source.conversation")}
    </Anchor>
  );
}
