import { Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Part } from "../../why/Part";
import { grewBy } from "./grew";
import { getTraitHistoryOptions } from "@/client/@tanstack/react-query.gen";
import { When } from "@/shared/When";

/** How a trait came to be as sure as it is, day by day. */
export function Grew({ id }: { id: string }) {
  const { t } = useTranslation("traits");
  const { data } = useQuery(getTraitHistoryOptions({ path: { trait_id: id } }));
  if (data === undefined || data.events.length === 0) return null;
  const days = grewBy(data.events, t);
  return (
    <Part title={t("why.grew")}>
      <Timeline bulletSize={14} lineWidth={2} active={days.length}>
        {days.map(({ at, changes }) => (
          <Timeline.Item key={at}>
            {changes.map(({ words }) => (
              <Text key={words} size="sm">
                {words}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              <When at={at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Part>
  );
}
