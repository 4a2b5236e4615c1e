import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";

import { listDocumentParts, type DocumentOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { More } from "@/shared/More";
import { Waiting } from "@/shared/Waiting";

const AT_ONCE = 20;

/** What an assistant can be given of a document, part by part. */
export function Parts({ document, onClose }: { document: DocumentOut; onClose: () => void }) {
  const { t } = useTranslation("documents");
  const pages = useInfiniteQuery({
    queryKey: [{ _id: "listDocumentParts", path: { document_id: document.id } }],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const query = { after: pageParam, limit: AT_ONCE };
      return (await listDocumentParts({ path: { document_id: document.id }, query, signal, throwOnError: true })).data;
    },
    getNextPageParam: (last) => (last.length < AT_ONCE ? undefined : last.at(-1)?.position),
  });
  const { data, error, refetch } = pages;
  return (
    <Modal opened onClose={onClose} size="lg" title={document.title} closeButtonProps={{ "aria-label": t("close") }}>
      {error !== null && data === undefined && <Failed error={error} again={() => void refetch()} />}
      {error === null && data === undefined && <Waiting lines={6} />}
      <Stack gap="lg">
        {data?.pages.flat().map((part) => (
          <section key={part.memory_id} aria-label={t("part", { number: part.position })}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" c="dimmed">
                {part.page === null ? t("part", { number: part.position }) : t("page", { number: part.page })}
              </Text>
              <Button component={Link} href={`/memories/${part.memory_id}`} size="compact-sm" variant="subtle">
                {t("open")}
              </Button>
            </Group>
            <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {part.content}
            </Text>
          </section>
        ))}
        <More pages={pages} />
      </Stack>
    </Modal>
  );
}
