import { Badge, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./conversation.module.css";
import type { Fate } from "./recalled";
import type { EpisodeOut } from "@/client";
import { Masked } from "@/shared/memories/Masked";
import { useNumbers } from "@/shared/numbers";
import { When } from "@/shared/When";

/** Both sides of an earlier exchange, and what becomes of it for the question. */
export function Moment({ episode, fate }: { episode: EpisodeOut; fate: Fate | undefined }) {
  const { t } = useTranslation("conversation");
  const number = useNumbers(2);
  return (
    <article className={`card ${classes.moment ?? ""}`}>
      <Group gap="xs" mb={6}>
        <Text size="xs" c="dimmed">
          <When at={episode.spoken_at} />
        </Text>
        {fate?.given === true && (
          <Badge variant="light" tt="none">
            {fate.nearness === null ? t("moments.given") : t("moments.near", { nearness: number(fate.nearness) })}
          </Badge>
        )}
        {fate !== undefined && (
          <Text size="xs" c="dimmed">
            {fate.reason}
          </Text>
        )}
      </Group>
      <dl className={classes.sides}>
        <Side name={t("side.user")} said={episode.user_message} />
        <Side name={t("side.assistant")} said={episode.assistant_message} />
      </dl>
    </article>
  );
}

function Side({ name, said }: { name: string; said: string | null }) {
  if (said === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className="words">
        <Masked text={said} />
      </dd>
    </div>
  );
}
