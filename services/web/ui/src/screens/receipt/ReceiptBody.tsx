import { List, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Chain } from "./Chain";
import { Counts, erasedIn } from "./Counts";
import { Proof } from "./Proof";
import { headline, remarkWords } from "./words";
import type { ReceiptOut } from "@/client";
import { Milestones } from "@/shared/operations/Milestones";
import { titleOf } from "@/shared/operations/words";

/** What was forgotten of whom nobody says: what kind, how far, how much, and how to check it. */
export function ReceiptBody({ receipt }: { receipt: ReceiptOut }) {
  const { t } = useTranslation("receipt");
  const over = receipt.status === "succeeded";
  return (
    <Stack gap="xl">
      <div>
        <Text size="sm" c="dimmed">
          {t("title")}
        </Text>
        <Title order={1} size="h2">
          {titleOf(t, receipt.type, over ? "done" : "working", erasedIn(receipt.entries)["postgres"])}
        </Title>
        <Text mt={4} role="status">
          {headline(t, receipt)}
        </Text>
      </div>
      <Stack className="card" p="lg">
        <Milestones of={receipt} full />
      </Stack>
      <Counts entries={receipt.entries} />
      <Proof receipt={receipt} />
      {receipt.entries.length > 0 && <Chain entries={receipt.entries} />}
      <section aria-labelledby="limits">
        <Title order={2} id="limits" mb="xs">
          {t("limits")}
        </Title>
        <List size="sm" spacing={4}>
          {Object.entries(receipt.remarks).map(([code, sentence]) => (
            <List.Item key={code}>{remarkWords(t, code, sentence)}</List.Item>
          ))}
        </List>
      </section>
      <Text size="sm" c="dimmed">
        {t("nobody")}
      </Text>
    </Stack>
  );
}
