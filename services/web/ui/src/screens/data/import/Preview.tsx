import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { bringsSomething, outcomesOf } from "./outcome";
import { bytesWords } from "@/shared/bytes";
import { localeOf } from "@/app/i18n";
import type { ImportPreview } from "@/client";
import { Failed } from "@/shared/Failed";
import { listed } from "@/shared/listed";
import { When } from "@/shared/When";

interface Props {
  file: File;
  preview: ImportPreview;
  /** Why it could not be brought in. */
  error: unknown;
  onBring: () => void;
  /** Look at the file again: what it would bring may have changed. */
  onLook: () => void;
  onCancel: () => void;
}

/** Where a file is from, and what would become of everything in it; nothing has changed yet. */
export function Preview({ file, preview, error, onBring, onLook, onCancel }: Props) {
  const { t, i18n } = useTranslation("data");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const sources = {
    "memory-center": t("preview.sources.memoryCenter"),
    mem0: t("preview.sources.mem0"),
    chatgpt: t("preview.sources.chatgpt"),
    claude: t("preview.sources.claude"),
  };
  const brings = bringsSomething(preview);
  return (
    <Stack gap="md">
      <Title order={2} ref={heading} tabIndex={-1}>
        {brings ? t("preview.title") : t("preview.nothing")}
      </Title>
      <div className="card">
        <Table layout="fixed" withRowBorders verticalSpacing="sm" horizontalSpacing="md">
          <Table.Tbody>
            <Row name={t("preview.file")}>
              {file.name} · {bytesWords(file.size, localeOf(i18n.language))}
            </Row>
            <Row name={t("preview.source")}>{sources[preview.source]}</Row>
            {outcomesOf(preview, t).map(({ name, what, counts }) => (
              <Row key={name} name={what}>
                {listed(counts, i18n.language)}
              </Row>
            ))}
            <Row name={t("preview.settings")}>
              {preview.settings === "restored" ? t("preview.settingsRestored") : t("preview.settingsKept")}
            </Row>
          </Table.Tbody>
        </Table>
      </div>
      <Text size="sm" c="dimmed">
        {t("preview.about")}
      </Text>
      {preview.returning.map(({ op_id, forgotten_at, records }) => (
        <Text key={op_id} size="sm" fw={560}>
          <When at={forgotten_at} /> · {t("preview.returning", { count: records })}
        </Text>
      ))}
      {error !== null && <Failed error={error} again={onLook} />}
      <Group gap="sm">
        {brings && (
          <Button onClick={onBring}>{t(preview.returning.length > 0 ? "preview.bringBack" : "preview.bring")}</Button>
        )}
        <Button variant="default" onClick={onCancel}>
          {t("preview.another")}
        </Button>
      </Group>
    </Stack>
  );
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <Table.Tr>
    <Table.Th scope="row" fw={400} c="dimmed" w="40%" style={{ verticalAlign: "top" }}>
      {name}
    </Table.Th>
    <Table.Td className="words">{children}</Table.Td>
  </Table.Tr>
);
