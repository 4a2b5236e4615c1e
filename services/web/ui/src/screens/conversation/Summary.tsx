import { Badge, Group, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Section } from "./Section";
import type { ConversationOut, SummaryOut } from "@/client";
import { getSummaryOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { Waiting } from "@/shared/Waiting";
import { When } from "@/shared/When";

/** The summary of a conversation: what it says, which version, and how much of the conversation it covers. */
export function Summary({ conversation }: { conversation: ConversationOut }) {
  const { t } = useTranslation("conversation");
  const { data, error, refetch } = useQuery(getSummaryOptions({ query: { conversation_id: conversation.id } }));
  return (
    <Section
      title={t("summary.title")}
      about={t("summary.about")}
      aside={
        data !== undefined && (
          <Badge variant="light" color={data.status === "current" ? undefined : "gray"} tt="none">
            {t(`summary.status.${data.status}`)}
          </Badge>
        )
      }
    >
      {error !== null && data === undefined ? (
        <Failed error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting lines={1} />
      ) : (
        <div className="card" style={{ padding: "16px 20px" }}>
          {data.text !== "" && <Text className="words">{data.text}</Text>}
          {data.status !== "current" && (
            <Text c="dimmed" size="sm" role="status">
              {t(`summary.means.${data.status}`)}
            </Text>
          )}
          {data.text !== "" && <Coverage summary={data} messages={conversation.message_count} />}
        </div>
      )}
    </Section>
  );
}

function Coverage({ summary, messages }: { summary: SummaryOut; messages: number }) {
  const { t } = useTranslation("conversation");
  const { covered_message_count: covered = 0, covered_from: from, covered_through: through } = summary;
  const said = t("summary.coverage", { covered, count: messages });
  return (
    <>
      <Progress.Root mt="md" size="sm">
        <Progress.Section value={messages === 0 ? 0 : Math.min(100, (100 * covered) / messages)} aria-label={said} />
      </Progress.Root>
      <Group gap={6} mt={8}>
        <Text size="sm" c="dimmed">
          {from != null && through != null && `${t("summary.covers", { from, through })} · `}
          {said} · {t("summary.version", { version: summary.version })}
          {summary.updated_at != null && (
            <>
              {" · "}
              {t("summary.updated")} <When at={summary.updated_at} />
            </>
          )}
          {" · "}
          {summary.method === "extractive" ? t("summary.extractive") : t("summary.byModel")}
        </Text>
      </Group>
    </>
  );
}
