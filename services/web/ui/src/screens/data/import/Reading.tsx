import { Button, Group, Loader, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { bytesWords } from "@/shared/bytes";
import { localeOf } from "@/app/i18n";

interface Props {
  file: File;
  /** It is brought in, not only looked at. */
  bringing: boolean;
  onCancel: (() => void) | undefined;
}

/** A file is on its way to the server, and read there. Its name stays on this page. */
export function Reading({ file, bringing, onCancel }: Props) {
  const { t, i18n } = useTranslation("data");
  const place = useRef<HTMLDivElement>(null);
  // What was pressed is gone: who uses the keyboard goes on from here.
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  const size = bytesWords(file.size, localeOf(i18n.language));
  return (
    <Group ref={place} tabIndex={-1} className="card" p="lg" gap="md" wrap="nowrap" role="status">
      <Loader size="sm" aria-hidden />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text className="words">{bringing ? t("import.sending") : t("import.reading", { file: file.name })}</Text>
        <Text size="sm" c="dimmed">
          {t("import.readingAbout", { size })}
        </Text>
      </div>
      {onCancel !== undefined && (
        <Button variant="default" size="xs" onClick={onCancel} flex="none">
          {t("import.cancel")}
        </Button>
      )}
    </Group>
  );
}
