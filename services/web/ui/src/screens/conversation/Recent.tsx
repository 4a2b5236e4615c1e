import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import classes from "./conversation.module.css";
import { givenFor } from "./given";
import { Section } from "./Section";
import { Failed } from "@/shared/Failed";
import { useNumbers } from "@/shared/numbers";
import { Waiting } from "@/shared/Waiting";
import { When } from "@/shared/When";

/** The messages an assistant is given as they were said, beside all else that it is given for a question. */
export function useRecent(conversation: string, question: string | undefined) {
  const { i18n } = useTranslation();
  return useQuery({ ...givenFor(conversation, question ?? "", i18n.language), enabled: question !== undefined });
}

/** The newest messages, word for word as the assistant is given them. */
export function Recent({ recent: { data, error, refetch } }: { recent: ReturnType<typeof useRecent> }) {
  const { t } = useTranslation("conversation");
  const number = useNumbers();
  const tokens = data?.window.reduce((sum, message) => sum + message.tokens, 0) ?? 0;
  return (
    <Section
      title={t("recent.title")}
      about={t("recent.about")}
      aside={
        data !== undefined && (
          <Text size="sm" c="dimmed">
            {t("recent.count", { count: data.window.length })} · {t("recent.tokens", { tokens: number(tokens) })}
          </Text>
        )
      }
    >
      {error !== null && data === undefined ? (
        <Failed error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting />
      ) : data.window.length === 0 ? (
        <Text className="card" p="md" c="dimmed" size="sm">
          {t("recent.none")}
        </Text>
      ) : (
        <ol className={`card ${classes.window ?? ""}`}>
          {data.window.map((message) => (
            <li key={message.id}>
              <Text size="xs" c="dimmed" className={classes.who}>
                <span>
                  {isRole(message.type) ? t(`side.${message.type}`) : message.type} ·{" "}
                  <When at={message.provenance.at} />
                </span>
                <span>{t("recent.tokens", { tokens: number(message.tokens) })}</span>
              </Text>
              <Text className="words">{message.content}</Text>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

const ROLES = ["user", "assistant", "tool", "system"] as const;
const isRole = (type: string): type is (typeof ROLES)[number] => (ROLES as readonly string[]).includes(type);
