import { Anchor, Badge, Drawer, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import type { DerivedOut } from "@/client";
import { getDerivedOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { useWithheldWords } from "@/shared/memories/withheld";
import { useMemoryWords } from "@/shared/memories/words";
import { Waiting } from "@/shared/Waiting";
import { When } from "@/shared/When";

/** Everything that was made of one message, in plain words, and what was kept out of it. */
export function Derived({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const { t } = useTranslation("chat");
  const { data, error, refetch } = useQuery(getDerivedOptions({ path: { message_id: messageId } }));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={t("derived.title")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {error !== null && data === undefined ? (
        <Failed error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Waiting />
      ) : (
        <Stack gap="md">
          {data.derived.length === 0 && data.awaited.length === 0 && <Text>{t("derived.nothing")}</Text>}
          {data.awaited.length > 0 && (
            <Text c="dimmed" role="status">
              {t("derived.awaited")}
            </Text>
          )}
          {[...data.derived].sort(byWeight).map((one) => (
            <One key={one.id} one={one} />
          ))}
          <Withheld categories={data.withheld.map(({ category }) => category)} />
        </Stack>
      )}
    </Drawer>
  );
}

const ORDER: readonly DerivedOut["kind"][] = ["memory", "observation", "summary", "episode", "signal", "feedback"];
const byWeight = (one: DerivedOut, other: DerivedOut): number => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);

function One({ one }: { one: DerivedOut }) {
  const { t } = useTranslation("chat");
  const words = useMemoryWords();
  return (
    <article>
      <Group gap="xs">
        <Badge variant="light" tt="none">
          {t(`derived.kind.${one.kind}`)}
        </Badge>
        <Text size="xs" c="dimmed">
          {one.kind === "memory" && `${words.type(one.label)} · `}
          <When at={one.made_at} />
        </Text>
      </Group>
      {one.content !== null && (
        <Text size="sm" mt={6} className="words">
          {one.content}
        </Text>
      )}
      {one.quote !== null && (
        <blockquote className="quote" style={{ marginBlock: 6 }}>
          <Text size="sm" c="dimmed" className="words">
            {one.quote}
          </Text>
        </blockquote>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {one.shown_only ? t("derived.shownOnly") : t(`derived.means.${one.kind}`)}
        {!one.direct && ` ${t("derived.indirect")}`}
      </Text>
      {one.kind === "memory" && (
        <Anchor component={Link} href={`/memories/${one.id}`} size="sm" underline="always">
          {t("source.memory")}
        </Anchor>
      )}
    </article>
  );
}

/** Sensitive fragments that never got as far as memory. */
function Withheld({ categories }: { categories: readonly string[] }) {
  const { t } = useTranslation("chat");
  const words = useWithheldWords();
  if (categories.length === 0) return null;
  return (
    <Text size="sm" className="card" p="sm">
      {t("derived.withheld", { kinds: words([...new Set(categories)]) })}
    </Text>
  );
}
