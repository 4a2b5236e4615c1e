import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Part } from "./Part";
import type { ExplainedMemoryOut } from "@/client";
import { isOrphan } from "@/shared/memories/MemoryCard";
import { Quote } from "@/shared/memories/Quote";
import { learnedBy } from "@/shared/memories/words";
import { When } from "@/shared/When";

/** How it was learned, and everything that was said which shows it. */
export function Evidence({ memory }: { memory: ExplainedMemoryOut }) {
  const { t } = useTranslation("memories");
  const from = memory.evidence.filter(({ relation }) => relation === "text_from");
  const again = memory.evidence.filter(({ relation }) => relation === "supported_by");
  return (
    <Part title={t("why.from")}>
      <Stack gap="sm">
        <Text size="sm">
          {isOrphan(memory) ? t("sourceGone") : t(`why.how.${learnedBy(memory)}`)}
          {memory.method?.startsWith("model:") === true && ` ${t("why.how.model")}`}
        </Text>
        {from.map((source) => (
          <Quote key={`${source.message_id} ${String(source.quote_start)}`} source={source} />
        ))}
        {again.length > 0 && (
          <>
            <Text size="sm">{t("why.again", { count: again.length })}</Text>
            {again.map((source) => (
              <Quote key={`${source.message_id} ${String(source.quote_start)}`} source={source} />
            ))}
          </>
        )}
        {memory.judgements.map(({ action, given_at, quote }) => (
          <blockquote className="quote" key={given_at}>
            <Text size="sm" className="words">
              {t(`why.judged.${action}`)}
              {quote !== null && ` ${t("quote.words", { quote })}`}
            </Text>
            <Text size="xs" c="dimmed" component="footer">
              <When at={given_at} />
              {quote === null && `${t("separator")}${t("why.privately")}`}
            </Text>
          </blockquote>
        ))}
      </Stack>
    </Part>
  );
}
