import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { getLearningOptions } from "@/client/@tanstack/react-query.gen";
import { useNow } from "@/shared/operations/useNow";

const LOOK_AGAIN_MILLISECONDS = 3_000;

/** After so long somebody is told that memories are still to come. */
const LONG_MILLISECONDS = 10_000;

/** Says that what is listed is not all yet: learning is behind what was said. Nothing while it keeps up. */
export function StillLearning() {
  const { t } = useTranslation("memories");
  const { data } = useQuery({
    ...getLearningOptions(),
    refetchInterval: ({ state }) => ((state.data?.messages ?? 0) > 0 ? LOOK_AGAIN_MILLISECONDS : false),
  });
  const since = data?.since ?? null;
  const now = useNow(since !== null);
  const late = since !== null && now - Date.parse(since) >= LONG_MILLISECONDS;
  return (
    <div role="status">
      {late && (
        <Text size="sm" c="dimmed" mb="sm">
          {t("stillLearning", { count: data?.messages ?? 0 })}
        </Text>
      )}
    </div>
  );
}
