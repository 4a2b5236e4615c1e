import { Anchor, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { Moments, useMoments } from "./Moments";
import { Picker } from "./Picker";
import { Recent, useRecent } from "./Recent";
import { Summary } from "./Summary";
import { useOneConversation } from "./useOneConversation";
import { getSummaryOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { conversationsOptions } from "@/shared/conversations";
import { useLastOpened } from "@/shared/kept";
import { Screen } from "@/shared/Screen";
import { Waiting } from "@/shared/Waiting";

/** What the assistant reads of one conversation, in the order it reads it. */
export function Conversation({ id }: { id: string | undefined }) {
  const list = useInfiniteQuery(conversationsOptions);
  const [lastOpened] = useLastOpened();
  const newest = list.data?.pages[0]?.items[0]?.id;
  const chosen = id ?? lastOpened ?? newest;
  return (
    <Screen name="conversation" actions={chosen !== undefined && <Picker chosen={chosen} />}>
      {chosen !== undefined ? (
        <Sections key={chosen} id={chosen} />
      ) : list.isPending ? (
        <Waiting />
      ) : list.error !== null ? (
        <Failed error={list.error} again={() => void list.refetch()} />
      ) : (
        <Nothing />
      )}
    </Screen>
  );
}

function Sections({ id }: { id: string }) {
  const { t } = useTranslation("conversation");
  const { data, error, refetch } = useOneConversation(id);
  const summary = useQuery(getSummaryOptions({ query: { conversation_id: id } }));
  const moments = useMoments(id);
  const recent = useRecent(id, moments.isSettled ? moments.question : undefined);
  // All of it at once: what comes later would push down what is there.
  const ready = data !== undefined && !summary.isPending && !moments.isPending && !recent.isPending;
  const [shown, setShown] = useState(ready);
  if (ready && !shown) setShown(true);
  if (error !== null && data === undefined) return <Failed error={error} again={() => void refetch()} />;
  if (data === undefined || !shown) return <Waiting lines={6} />;
  return (
    <Stack gap="xl">
      {!data.remember && (
        <Text className="card" p="md">
          {t("notRemembered")}
        </Text>
      )}
      <Summary conversation={data} />
      <Moments moments={moments} />
      <Recent recent={recent} />
    </Stack>
  );
}

function Nothing() {
  const { t } = useTranslation("conversation");
  return (
    <Stack gap="xs" align="flex-start" py="xl">
      <Text size="lg">{t("none.title")}</Text>
      <Text c="dimmed">{t("none.about")}</Text>
      <Anchor component={Link} href="/chat/new" underline="always">
        {t("none.begin")}
      </Anchor>
    </Stack>
  );
}
