import { Anchor, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";

import { Part } from "./Part";
import type { ExplanationOut, MemoryOut } from "@/client";
import { When } from "@/shared/When";

interface Related {
  memory: MemoryOut;
  relation: "earlier" | "later" | "contradicts" | "contradictedBy";
}

/** What else it belongs together with: what it replaced, what replaced it, and what it may contradict. */
export function relatedTo({ chain, memory, contradicts, contradicted_by }: ExplanationOut): Related[] {
  const at = chain.findIndex(({ id }) => id === memory.id);
  return [
    ...chain.slice(0, at).map((one) => ({ memory: one, relation: "earlier" as const })),
    ...chain.slice(at + 1).map((one) => ({ memory: one, relation: "later" as const })),
    ...(contradicts === null ? [] : [{ memory: contradicts, relation: "contradicts" as const }]),
    ...contradicted_by.map((one) => ({ memory: one, relation: "contradictedBy" as const })),
  ];
}

/** Other wordings of the same thing, and what stands against it; each opens its own explanation. */
export function Wordings({ explanation }: { explanation: ExplanationOut }) {
  const { t } = useTranslation("memories");
  const search = useSearch(); // the filters of the list behind
  const related = relatedTo(explanation);
  if (related.length === 0) return null;
  return (
    <Part title={t("why.wordings")}>
      <Stack gap="sm">
        {related.map(({ memory, relation }) => (
          <div key={memory.id}>
            <Text size="xs" c="dimmed">
              {t(`why.relation.${relation}`)}
              {t("separator")}
              <When at={memory.created_at} />
            </Text>
            <Anchor
              component={Link}
              href={`/memories/${memory.id}${search === "" ? "" : `?${search}`}`}
              size="sm"
              className="words"
            >
              {memory.content}
            </Anchor>
          </div>
        ))}
        {explanation.edited_from.length > 0 && (
          <Text size="sm" c="dimmed">
            {t("why.editedFrom")}
          </Text>
        )}
      </Stack>
    </Part>
  );
}
