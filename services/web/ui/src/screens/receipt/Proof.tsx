import { Button, Code, CopyButton, Group, Stack, Text, Title } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { Check } from "./Check";
import { download } from "./download";
import classes from "./Receipt.module.css";
import type { ReceiptOut } from "@/client";

/** Whether the receipt holds, as this browser finds, and how to find out without it. */
export function Proof({ receipt }: { receipt: ReceiptOut }) {
  const { t } = useTranslation("receipt");
  const file = `receipt-${receipt.receipt_id}.json`;
  const command = `memory-center verify-receipt ${file} --public-key KEY`;
  return (
    <section aria-labelledby="proof">
      <Title order={2} id="proof" mb="xs">
        {t("proof.title")}
      </Title>
      <Stack gap="md">
        <Check receipt={receipt} />
        <Text size="sm">{t("proof.offline")}</Text>
        <Code className={classes.command}>{command}</Code>
        <Group gap="sm">
          <Button
            variant="light"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => download(file, receipt)}
          >
            {t("proof.download")}
          </Button>
          <CopyButton value={command}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
                onClick={copy}
                aria-live="polite"
              >
                {copied ? t("proof.copied") : t("proof.copy")}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </section>
  );
}
