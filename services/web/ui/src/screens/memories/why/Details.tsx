import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { EffectOut, MemoryOut } from "@/client";

/** The technical names, for who wants them. */
export function Details({ memory, effect }: { memory: MemoryOut; effect: EffectOut }) {
  const { t } = useTranslation("memories");
  const rows: [string, string][] = [
    ["id", memory.id],
    ["version", String(memory.version)],
    ["content_type", memory.content_type],
    ["origin", memory.origin],
    ["method", memory.method ?? "–"],
    ["importance", String(memory.importance)],
    ["confirmed", String(memory.confirmed)],
    ["mem0", String(effect.searchable)],
    ["created_at", memory.created_at],
    ["updated_at", memory.updated_at],
  ];
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: "pointer" }}>
        {t("why.details")}
      </Text>
      <Table mt="xs" layout="fixed" variant="vertical" fz="xs">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={110}>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
