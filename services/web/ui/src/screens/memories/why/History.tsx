import { Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import { Part } from "./Part";
import type { LivedOut } from "@/client";
import { getHistoryOptions } from "@/client/@tanstack/react-query.gen";
import { When } from "@/shared/When";

const WORDS: Readonly<Record<string, (t: TFunction<"memories">) => string>> = {
  MemoryLearned: (t) => t("event.learned"),
  MemorySupported: (t) => t("event.supported"),
  MemoryConfirmed: (t) => t("event.confirmed"),
  MemoryDisputed: (t) => t("event.disputed"),
  MemoryResolved: (t) => t("event.resolved"),
  MemoryDisabled: (t) => t("event.disabled"),
  MemoryEnabled: (t) => t("event.enabled"),
  MemoryArchived: (t) => t("event.archived"),
  MemoryUnarchived: (t) => t("event.unarchived"),
  MemoryConsolidated: (t) => t("event.consolidated"),
  MemoryRepointed: (t) => t("event.repointed"),
};

/** One event of a memory in words; a new wording is one that replaced another. */
export function eventWords(event: LivedOut, t: TFunction<"memories">): string {
  if (event.type === "MemoryLearned" && event.data["supersedes"] != null) return t("event.reworded");
  if (event.type === "MemoryResolved" && event.data["supersedes"] == null) return t("event.bothTrue");
  return WORDS[event.type]?.(t) ?? t("event.other");
}

/** What happened to it and to what it replaced, in order. */
export function History({ id }: { id: string }) {
  const { t } = useTranslation("memories");
  const { data } = useQuery(getHistoryOptions({ path: { memory_id: id } }));
  if (data === undefined) return null;
  return (
    <Part title={t("why.history")}>
      <Timeline bulletSize={14} lineWidth={2} active={data.events.length}>
        {data.events.map((event) => (
          <Timeline.Item key={`${event.memory_id} ${String(event.version)}`}>
            <Text size="sm">{eventWords(event, t)}</Text>
            <Text size="xs" c="dimmed">
              <When at={event.at} />
              {t("separator")}
              {event.actor === "person" ? t("event.byYou") : t("event.byItself")}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Part>
  );
}
